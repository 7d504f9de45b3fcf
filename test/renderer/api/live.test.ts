import fc from 'fast-check';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventName } from '../../../src-main/contract/events.ts';
import type { Args, MethodName, Reply } from '../../../src-main/contract/methods.ts';
import { PAUSES_MS } from '../../../src-main/contract/renewals.ts';
import { MAX_SOURCE_CHOICES, type Statistics } from '../../../src-main/contract/model/source.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { LiveAnswers, type Changes } from '../../../src-renderer/api/live.ts';
import { isWhole } from '../../support/proofs.ts';
import { effect } from '../support/effects.svelte.ts';

const NO_MATTER = {} as Args<'items.markAllRead'>;
const GONE = { ok: false, error: { code: 'unreachable', message: 'Gone.', retryable: true } } as const;

/** A service with one number, which is the statistics' count of stories. Answers wait until they are let go. */
class Service {
  number = 0;
  readonly waiting: (() => void)[] = [];
  readonly #listeners: [EventName, (payload: never) => void][] = [];
  isGone = false;
  /** Replies to what is saved. */
  save: (method: MethodName) => Promise<Reply<unknown>> = () => Promise.resolve(GONE);

  readonly wire = {
    call: (method: MethodName) => {
      if (method !== 'statistics.get') return this.save(method);
      const reply = this.isGone ? GONE : { ok: true, value: statistics(this.number) };
      return new Promise((resolve) => this.waiting.push(() => resolve(reply)));
    },
    on: (event: EventName, listener: (payload: never) => void) => this.#listeners.push([event, listener]),
  } as unknown as Wire;

  emit(event: EventName, payload: unknown = {}): void {
    for (const [name, listener] of this.#listeners) if (name === event) listener(payload as never);
  }

  /** A change that everyone is told of. */
  set(number: number): void {
    this.number = number;
    this.emit('rules.changed', { progress: null });
  }
}

const statistics = (stories: number) => ({ stories }) as Statistics;
const setTo = (stories: number): Changes => ({ 'statistics.get': (answer) => ({ ...answer, stories }) });

async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
  flushSync();
}

describe('a live answer', () => {
  let service: Service;
  let live: LiveAnswers;
  let seen: (number | null)[];

  const answer = () => live.get('statistics.get', { days: 30 });
  const last = (): number | null | undefined => seen.at(-1);

  function change(changes: Changes, reply: Promise<Reply<null>>): Promise<Reply<unknown>> {
    service.save = () => reply;
    return live.change(changes, 'items.markAllRead', NO_MATTER);
  }

  /** Shows the number, as a component does. Returns a function that stops it. */
  function show(): () => void {
    const end = effect(() => void seen.push(answer().value?.stories ?? null));
    flushSync();
    onTestFinished(end);
    return end;
  }
  async function reply(): Promise<void> {
    service.waiting.shift()?.();
    await settle();
  }

  beforeEach(() => {
    service = new Service();
    live = new LiveAnswers(service.wire);
    seen = [];
  });
  afterEach(() => vi.useRealTimers());

  it('is the same for equal arguments, and read once for all that show it', async () => {
    show();
    show();
    expect(service.waiting).toHaveLength(1);
    expect(live.get('statistics.get', { days: 30 })).toBe(answer());
    expect(live.get('statistics.get', { days: 365 })).not.toBe(answer());
  });

  it('is not read while nothing shows it, and has its value at once when it is shown again', async () => {
    const end = show();
    await reply();
    end();
    await settle();
    service.set(1);
    expect(service.waiting).toHaveLength(0);
    show();
    expect(last()).toBe(0);
    await reply();
    expect(last()).toBe(1);
  });

  it('whose call has an effect is read each time it comes into view, and after no event', async () => {
    let calls = 0;
    service.save = () => {
      calls += 1;
      return Promise.resolve(GONE);
    };
    const look = (): (() => void) => effect(() => live.get('stories.open', { publicId: 's1' }).value);
    for (const times of [1, 2]) {
      const end = look();
      await settle();
      service.emit('stories.changed', { publicIds: ['s1'] });
      service.emit('data.replaced');
      await settle();
      expect(calls).toBe(times);
      end();
      await settle();
    }
  });

  it('stays as it is for an event that only makes it old, until it is shown again', async () => {
    const end = show();
    await reply();
    service.number = 1;
    service.emit('items.changed');
    expect(service.waiting).toHaveLength(0);
    end();
    await settle();
    show();
    await reply();
    expect(last()).toBe(1);
  });

  it('with a pause is read once for all events of that time, if it is still shown', async () => {
    vi.useFakeTimers();
    let reads = 0;
    const shown: unknown[] = [];
    service.save = () => Promise.resolve({ ok: true, value: { reads: ++reads } });
    const today = (): (() => void) => effect(() => void shown.push(live.get('today.get', {}).value));
    const end = today();
    await settle();
    service.emit('items.changed');
    service.emit('visits.changed');
    await settle();
    expect(reads).toBe(1);
    vi.advanceTimersByTime(PAUSES_MS['today.get'] ?? 0);
    await settle();
    expect(reads).toBe(2);
    service.emit('items.changed');
    end();
    await settle();
    vi.runAllTimers();
    expect(reads).toBe(2);
    onTestFinished(today());
    await settle();
    expect(reads).toBe(3);
    // Other data are not waited for.
    service.emit('items.changed');
    service.emit('data.replaced');
    await settle();
    expect(reads).toBe(4);
    vi.runAllTimers();
    await settle();
    expect(reads).toBe(4);
  });

  it('can become old for the next time by what it was asked for', async () => {
    const reads: string[] = [];
    service.save = (method) => Promise.resolve({ ok: true, value: { reads: reads.push(method) } });
    const choices = (): (() => void) =>
      effect(() => live.get('sources.list', { sort: 'name', offset: 0, limit: MAX_SOURCE_CHOICES }).value);
    const end = choices();
    await settle();
    service.emit('items.changed');
    await settle();
    expect(reads).toHaveLength(1);
    end();
    await settle();
    onTestFinished(choices());
    await settle();
    expect(reads).toHaveLength(2);
  });

  it('is ready when it is up to date, and reads only if it is not', async () => {
    const ready = answer().ready();
    await reply();
    await ready;
    await answer().ready();
    expect(service.waiting).toHaveLength(0);
    service.set(1);
    const again = answer().ready();
    await reply();
    await again;
    expect(answer().value?.stories).toBe(1);
  });

  it('keeps its value when a read fails, says why, and is read after the next event', async () => {
    const failures: unknown[] = [];
    onTestFinished(effect(() => void failures.push(answer().failure?.code ?? null)));
    show();
    await reply();
    service.isGone = true;
    service.set(1);
    await reply();
    expect([last(), failures.at(-1)]).toEqual([0, 'unreachable']);
    service.isGone = false;
    service.emit('engine.changed', { running: true });
    await reply();
    expect([last(), failures.at(-1)]).toEqual([1, null]);
  });

  it('is read again when it is shown after a failure', async () => {
    service.isGone = true;
    const end = show();
    await reply();
    end();
    await settle();
    service.isGone = false;
    show();
    await reply();
    expect(last()).toBe(0);
  });

  it('is slow only while the first answer is waited for', async () => {
    vi.useFakeTimers();
    const slow: boolean[] = [];
    onTestFinished(effect(() => void slow.push(answer().slow)));
    flushSync();
    vi.advanceTimersByTime(149);
    flushSync();
    expect(slow.at(-1)).toBe(false);
    vi.advanceTimersByTime(1);
    flushSync();
    expect(slow.at(-1)).toBe(true);
    await reply();
    expect(slow.at(-1)).toBe(false);
    service.set(1);
    vi.advanceTimersByTime(1000);
    flushSync();
    expect(slow.at(-1)).toBe(false);
  });

  describe('with a change', () => {
    it('shows it at once, and until an answer that was asked for after it was saved', async () => {
      show();
      await reply();
      const saved = Promise.withResolvers<Reply<null>>();
      const changed = change(setTo(7), saved.promise);
      flushSync();
      expect(last()).toBe(7);
      // An event of something else meanwhile: this answer doesn't have the change.
      service.emit('rules.changed', { progress: null });
      await settle();
      service.number = 7;
      saved.resolve({ ok: true, value: null });
      await changed;
      await reply();
      expect(last()).toBe(7);
      await reply();
      expect(seen.slice(2)).toEqual(seen.slice(2).map(() => 7));
      service.set(8);
      await reply();
      expect(last()).toBe(8);
    });

    it('is read again once it is saved, even if no event says so', async () => {
      show();
      await reply();
      service.number = 9;
      await change(setTo(7), Promise.resolve({ ok: true, value: null }));
      await reply();
      expect(last()).toBe(9);
    });

    it('keeps the others if one of several fails', async () => {
      show();
      await reply();
      const [one, other] = [Promise.withResolvers<Reply<null>>(), Promise.withResolvers<Reply<null>>()];
      const both = [change(setTo(1), one.promise), change(setTo(2), other.promise)];
      other.resolve(GONE);
      await both[1];
      flushSync();
      expect(last()).toBe(1);
      one.resolve(GONE);
      await both[0];
      flushSync();
      expect(last()).toBe(0);
    });
  });

  it('of which nothing is shown is forgotten after a hundred others', async () => {
    const first = answer();
    for (let days = 1000; days < 1102; days += 1) {
      const end = effect(() => {
        seen.push(live.get('statistics.get', { days: days as 30 }).value?.stories ?? null);
      });
      flushSync();
      end();
      await settle();
    }
    expect(answer()).not.toBe(first);
  });

  const STEP = fc.record({
    what: fc.constantFrom('show', 'hide', 'set', 'break', 'change', 'end', 'reply', 'reply'),
    number: fc.nat(99),
    good: fc.boolean(),
    waits: fc.boolean(),
  });

  it('ends as a fresh read, whatever happens in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), async (steps) => {
        service = new Service();
        live = new LiveAnswers(service.wire);
        seen = [];
        const calls: { to: number; end: (reply: Reply<null>) => void }[] = [];
        let hide: (() => void) | null = null;
        for (const { what, number, good, waits } of steps) {
          if (what === 'show') hide ??= show();
          else if (what === 'set') service.set(number);
          else if (what === 'break') service.isGone = !good;
          else if (what === 'reply') service.waiting.splice(number % Math.max(1, service.waiting.length), 1)[0]?.();
          else if (what === 'hide') {
            hide?.();
            hide = null;
          } else if (what === 'change') {
            const { promise, resolve } = Promise.withResolvers<Reply<null>>();
            void change(setTo(number + 100), promise);
            calls.push({ to: number + 100, end: resolve });
          } else {
            const [call] = calls.splice(number % Math.max(1, calls.length), 1);
            if (call && good) service.number = call.to;
            call?.end(good ? { ok: true, value: null } : GONE);
          }
          if (waits) await settle();
          expect(service.waiting.length).toBeLessThanOrEqual(1);
        }
        for (const { end } of calls) end(GONE);
        service.isGone = false;
        hide ??= show();
        service.emit('data.replaced');
        await settle();
        while (service.waiting.length > 0) await reply();
        expect(last()).toBe(service.number);
        hide();
      }),
      { numRuns: isWhole ? 500 : 150 },
    );
  });
});
