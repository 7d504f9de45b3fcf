import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type DemoService } from '../../../src-main/demo/service.ts';
import { REGISTRY } from '../../../src-main/sync/jobs/registry.ts';
import { pauseAt } from '../../../src-main/sync/schedule/due-rules.ts';
import { NEWS_GROUPS } from '../../../src-main/sync/schedule/scheduler.ts';
import { Reachability, probeAfter } from '../../../src-main/sync/schedule/polling.ts';
import { NOT_DUE } from '../../../src-main/sync/jobs/resource-runner.ts';
import { fakeClock } from '../../support/clock.ts';
import { drive, settled } from '../../support/driving.ts';
import { openServedEngine, openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2026-03-18T06:30:00Z');

interface Scene extends TestEngine {
  service: DemoService;
  /** Requests since it was last called, by path. */
  asked(path?: string): number;
  /** Switches the network on or off. */
  online(is: boolean): void;
}

/** An engine that polls and has its first copy. */
async function openScene({ clock = fakeClock(NOW), folder = ':memory:' } = {}): Promise<Scene> {
  let online = true;
  let seen = 0;
  const intercept = ({ socket }: IncomingMessage): boolean => {
    if (!online) socket.destroy();
    return !online;
  };
  const demo = { content: { selected: 20, days: 5 }, intercept };
  const { service, ...room } = await openServedEngine(demo, { clock, folder });
  const scene = {
    ...room,
    service,
    asked: (path = '') => {
      const fresh = service.requests.slice(seen).filter((request) => request.path.includes(path));
      seen = service.requests.length;
      return fresh.length;
    },
    online: (is: boolean) => void (online = is),
  };
  await room.engine.start();
  await settled(clock);
  scene.asked();
  return scene;
}

const items = '/items';

describe('a pause, as of now', () => {
  const hour = { since: NOW, until: NOW + HOUR };

  it.each([
    ['is over at its end', hour, NOW + HOUR, null],
    ['lasts until then', hour, NOW + HOUR - 1, hour],
    ['has no end where none was named', { since: NOW, until: null }, NOW + 10_000 * HOUR, { since: NOW, until: null }],
    [
      'keeps its duration when the clock was set back',
      hour,
      NOW - 5 * HOUR,
      { since: NOW - 5 * HOUR, until: NOW - 4 * HOUR },
    ],
    ['is over where the clock was set forward beyond it', hour, NOW + 9 * HOUR, null],
    ['is none where there was none', null, NOW, null],
  ])('%s', (_, pause, now, expected) => {
    expect(pauseAt(pause, now)).toEqual(expected);
  });
});

describe('retries while the service is unreachable', () => {
  it.each([
    [1, 0.5],
    [2, 1],
    [3, 2],
    [4, 4],
    [5, 4],
    [10_000, 4],
  ])('comes, after the %d. time, in %d minutes', (misses, minutes) => {
    expect(probeAfter(misses, 0)).toBe(minutes * MINUTE);
    expect(probeAfter(misses, 0.999)).toBeLessThanOrEqual(minutes * MINUTE * 1.1);
  });

  it('differs from an error of the service', () => {
    const failed = (code: 'unreachable' | 'temporarily_unavailable') =>
      ({ ...NOT_DUE, unanswered: 0, status: 'failed', error: { code, message: '', retryable: true } }) as const;
    const notDue = { ...NOT_DUE, unanswered: 0 };
    const reachability = new Reachability();
    const times = { startedAt: NOW, now: NOW };
    expect(reachability.record([notDue], times, 0)).toBe(false);
    expect(reachability.reachable).toBeNull();
    reachability.record([failed('unreachable'), notDue], times, 0);
    expect(reachability.reachable).toBe(false);
    expect(reachability.probeAt(NOW)).toBe(NOW + 30 * SECOND);
    expect(reachability.probeAt(NOW - HOUR)).toBe(NOW - HOUR);
    expect(reachability.record([failed('temporarily_unavailable')], times, 0)).toBe(true);
    expect(reachability.reachable).toBe(true);
    // Another sync was answered while this one failed.
    expect(reachability.record([failed('unreachable')], { startedAt: NOW, now: NOW + MINUTE }, 0)).toBe(false);
    expect(reachability.reachable).toBe(true);
    reachability.record([failed('unreachable')], { startedAt: NOW + 1, now: NOW + MINUTE }, 0);
    expect(reachability.reachable).toBe(false);
  });

  it.each([
    ['come while no record of a run is answered', 'failed', 3, 3, false],
    ['end with a run whose first records were answered', 'failed', 3, 2, true],
    ['come while the only record of a run is left out', 'ok', 1, 1, false],
  ] as const)('%s', (_, status, requests, unanswered, reachable) => {
    const error = { code: 'unreachable', message: '', retryable: true } as const;
    const lost = { ...NOT_DUE, status: 'failed', requests: 1, unanswered: 1, error } as const;
    const run = { ...NOT_DUE, status, requests, unanswered, ...(status === 'failed' && { error }) };
    const reachability = new Reachability();
    reachability.record([lost], { startedAt: NOW, now: NOW }, 0);
    expect(reachability.record([run], { startedAt: NOW + 1, now: NOW + MINUTE }, 0)).toBe(reachable);
    expect(reachability.reachable).toBe(reachable);
    expect(reachability.probeAt(NOW + MINUTE)).toBeGreaterThan(NOW + MINUTE);
  });

  it('do not begin because a single record can not be sent', () => {
    const reachability = new Reachability();
    reachability.record([{ ...NOT_DUE, status: 'ok', requests: 1, unanswered: 0 }], { startedAt: NOW, now: NOW }, 0);
    const run = { ...NOT_DUE, status: 'ok', requests: 1, unanswered: 1 } as const;
    reachability.record([run], { startedAt: NOW + 1, now: NOW + MINUTE }, 0);
    expect(reachability.reachable).toBe(true);
  });
});

describe('polling', () => {
  // Holds: news-1-no-push, news-6-conditional-polling
  it('fetches each resource at its interval, and sooner what the page shows', async () => {
    const { clock, call, asked } = await openScene();
    await drive(clock, HOUR);
    const hidden = asked(items);
    expect(hidden).toBeGreaterThanOrEqual(HOUR / (REGISTRY.items.rule.every * 1.1) - 1);
    expect(hidden).toBeLessThanOrEqual(HOUR / REGISTRY.items.rule.every);
    for (let n = 0; n < 4; n += 1) {
      await call('sync.attend', { to: 'items' });
      await drive(clock, HOUR / 4);
    }
    const shown = asked(items);
    expect(shown).toBeGreaterThan(2 * hidden);
    expect(shown).toBeLessThanOrEqual(HOUR / REGISTRY.items.rule.attended + 1);
    await call('sync.attend', { to: null });
    await drive(clock, HOUR);
    expect(asked(items)).toBeLessThanOrEqual(hidden + 1);
  });

  it('counts the feed as one, and a page without a message as closed after a while', async () => {
    const { clock, call, asked } = await openScene();
    await call('sync.attend', { to: 'items' });
    await drive(clock, 20 * MINUTE);
    expect(asked('/changes')).toBeGreaterThanOrEqual(6);
    await drive(clock, 2 * HOUR);
    expect(asked('/changes')).toBeLessThanOrEqual((2 * HOUR) / REGISTRY.selected.rule.every + 1);
  });

  it('pauses as long as the user chose, but allows manual refreshes', async () => {
    const { clock, call, asked } = await openScene();
    const until = clock.now() + 2 * HOUR;
    expect(await call('sync.pause', { untilMs: until })).toMatchObject({
      pause: { until: new Date(until).toISOString() },
    });
    await drive(clock, 2 * HOUR - MINUTE);
    expect(asked()).toBe(0);
    expect((await call('sync.run', { urgency: 'due' })).resources.items.status).toBe('notDue');
    expect((await call('sync.run', { urgency: 'permitted' })).ok).toBe(true);
    expect(asked()).toBeGreaterThan(0);
    await drive(clock, 10 * MINUTE);
    expect(asked()).toBeGreaterThan(0);
    expect(await call('sync.status', {})).toMatchObject({ pause: null });
  });

  it('sleeps through a pause of the service, and looks at the clock once a minute', async () => {
    let busy = false;
    const intercept = (_: IncomingMessage, response: ServerResponse): boolean => {
      if (busy) response.writeHead(429, { 'retry-after': '3600' }).end();
      return busy;
    };
    const { engine, clock, service } = await openServedEngine({ content: { selected: 20, days: 5 }, intercept });
    await engine.start();
    await settled(clock);
    busy = true;
    await drive(clock, 20 * MINUTE);
    const sent = service.requests.length;
    let wakes = 0;
    await drive(clock, 30 * MINUTE, () => (wakes += 1));
    expect(service.requests.length).toBe(sent);
    expect(wakes).toBeLessThanOrEqual(NEWS_GROUPS.length * 30 + 1);
  });

  it('stays paused after a restart, and continues at once when resumed', async () => {
    const folder = temporaryFolder();
    const clock = fakeClock(NOW);
    const before = await openScene({ clock, folder });
    await before.call('sync.pause', { untilMs: null });
    await before.engine.close();
    const address = before.service.newsAddress;
    const after = openTestEngine({ address, clock, folder });
    await after.engine.start();
    await drive(clock, 9 * HOUR);
    expect(before.asked()).toBe(0);
    const { pause, resources } = await after.call('sync.status', {});
    expect(pause).toEqual({ until: null });
    expect(resources.map(({ nextDueAt }) => nextDueAt)).toEqual(resources.map(() => null));
    expect(await after.call('sync.resume', {})).toMatchObject({ pause: null });
    await settled(clock);
    expect(before.asked(items)).toBe(1);
  });

  it('fetches nothing by itself with the setting byHand, and everything on a manual refresh', async () => {
    const { clock, call, engine, asked, settings, events } = await openScene();
    events.length = 0;
    await engine.useSettings({ ...settings, polling: 'byHand' });
    expect(events.at(-1)).toMatchObject({ event: 'sync.changed', payload: { polling: 'byHand' } });
    const { resources } = await call('sync.status', {});
    expect(resources.map(({ nextDueAt }) => nextDueAt)).toEqual(resources.map(() => null));
    await call('sync.attend', { to: 'items' });
    await drive(clock, 9 * HOUR);
    expect(asked()).toBe(0);
    // A command that asks for what is due was given by hand.
    expect((await call('sync.run', { urgency: 'due' })).resources.items.status).not.toBe('notDue');
    await drive(clock, 9 * HOUR);
    expect((await call('sync.run', { urgency: 'permitted' })).ok).toBe(true);
    expect(asked(items)).toBe(2);
    await engine.useSettings({ ...settings, polling: 'usual' });
    await drive(clock, 10 * MINUTE);
    expect(asked(items)).toBeGreaterThanOrEqual(1);
  });

  it('retries slowly while offline, and catches up at once when online', async () => {
    const { clock, call, asked, online } = await openScene();
    online(false);
    await drive(clock, HOUR);
    expect(await call('sync.status', {})).toMatchObject({ reachable: false });
    // One round that found out, and then one question at a time, every four minutes.
    const knocks = asked();
    expect(knocks).toBeGreaterThanOrEqual(10);
    expect(knocks).toBeLessThanOrEqual(25);
    await drive(clock, 3 * HOUR);
    expect(asked()).toBeLessThanOrEqual((3 * HOUR) / (4 * MINUTE));
    online(true);
    await drive(clock, 5 * MINUTE);
    const status = await call('sync.status', {});
    expect(status.reachable).toBe(true);
    expect(status.resources.map(({ failures }) => failures)).toEqual(status.resources.map(() => 0));
  });
});
