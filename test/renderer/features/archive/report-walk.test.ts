import { flushSync } from 'svelte';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { REPORT_KINDS } from '../../../../src-main/contract/model/report.ts';
import type { DemoControl } from '../../../../src-main/demo/options.ts';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { History } from '../../../../src-renderer/app/history.svelte.ts';
import { TOP } from '../../../../src-renderer/app/scroll.ts';
import { ReportWalk } from '../../../../src-renderer/features/archive/report-walk.svelte.ts';
import { servedReport } from '../../../support/reports.ts';
import { STORIES, openCore, type CoreWire } from '../../support/core.ts';
import { effect } from '../../support/effects.svelte.ts';
import { settle } from '../../support/settle.ts';

const HOUR = 3_600_000;

let wire: CoreWire;
let live: LiveAnswers;
let walk: ReportWalk;

beforeEach(async () => {
  wire = await openCore(STORIES);
  live = new LiveAnswers(wire);
  walk = new ReportWalk(wire, live, newHistory());
  const shown: unknown[] = [];
  const show = (): void => void shown.push(walk.report, walk.failure, ...REPORT_KINDS.map((kind) => walk.lines(kind)));
  onTestFinished(effect(show));
  flushSync();
  await walk.load();
});

/** One that nothing follows. */
function newHistory(): History {
  return new History({
    measure: () => TOP,
    enter: () => undefined,
    show: () => Promise.resolve(),
    save: () => Promise.resolve(true),
  });
}

const newest = (): string => walk.lines('daily')[0]!.label;

async function open(): Promise<void> {
  await walk.show('daily', newest());
  await settle();
}

/** Corrects the newest daily at the service, and fetches it. */
async function correct(patch: Parameters<DemoControl['correctDaily']>[1]): Promise<void> {
  wire.service.correctDaily(newest(), patch);
  wire.pass(6 * HOUR);
  await wire.sync(['dailies']);
  await wire.ask('reports.open', { kind: 'daily', label: newest() });
  await settle();
}

describe('the archive', () => {
  it('opens the newest report of a kind, and the previous and next ones, and fetches nothing beyond an index', async () => {
    walk.step(1);
    await settle();
    expect(wire.argsOf('reports.open')).toEqual([{ kind: 'daily', label: newest() }]);
    walk.latest('daily');
    await settle();
    expect(walk.report?.label).toBe(newest());
    walk.step(-1);
    await settle();
    expect(walk.report?.label).toBe(walk.lines('daily')[1]!.label);
    walk.step(1);
    await settle();
    walk.step(1);
    expect(walk.open?.label).toBe(newest());
  });

  it('takes no report for the newest that the calendar has not reached', async () => {
    const label = newest();
    wire.answer('reports.index', async (args) => {
      const { lines } = await wire.ask('reports.index', args);
      return { lines: [{ ...lines[0]!, label: '9999-12-31' }, ...lines] };
    });
    wire.emit('reports.changed', { kind: 'daily', labels: [] });
    await settle();
    walk.latest('daily');
    expect([newest(), walk.open?.label]).toEqual(['9999-12-31', label]);
  });

  it.each([
    ['how long reading took', 10, true],
    ['no time in which nobody reads it', 1, false],
  ])('tells %s', async (_, seconds, isTold) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const began = Date.now();
    await open();
    const took = walk.length!.stories * seconds * 1_000;
    vi.setSystemTime(began + took);
    await walk.markStories(walk.unreadKeys, true);
    expect(walk.took).toBe(isTold ? took : null);
    vi.useRealTimers();
  });

  it('counts a report as read when its last story is, can be marked as unread, and takes back what failed', async () => {
    await open();
    expect(walk.lines('daily')[0]?.readAt).toBeNull();
    const [last, ...others] = walk.unreadKeys;
    await walk.markStories(others, true);
    expect(walk.report?.readAt).toBeNull();
    await walk.markStories([last!], true);
    expect(walk.lines('daily')[0]?.readAt).not.toBeNull();
    await walk.mark(walk.open!, false);
    expect([walk.report?.readAt, walk.lines('daily')[0]?.readAt]).toEqual([null, null]);
    expect((await wire.ask('reports.index', { kind: 'daily' })).lines[0]?.readAt).toBeNull();
    await walk.mark(walk.open!, true);
    wire.failing.set('reports.mark', { code: 'disk_full', message: '', retryable: true });
    expect((await walk.mark(walk.open!, false)).ok).toBe(false);
    expect(walk.report?.readAt).not.toBeNull();
  });

  it('does not count a report as read that could not be shown', async () => {
    await walk.show('daily', '1999-01-01');
    await settle();
    expect([walk.report, walk.failure?.code]).toEqual([null, 'not_found']);
    expect(wire.argsOf('reports.mark')).toEqual([]);
  });

  it('shows the saved report while it is fetched, and if that fails', async () => {
    const release = wire.holdAnswers('reports.open');
    wire.failing.set('reports.open', { code: 'unreachable', message: '', retryable: true });
    const label = newest();
    const shown = walk.show('daily', label);
    await settle();
    expect([walk.report?.label, walk.refreshing, walk.failure]).toEqual([label, true, null]);
    release();
    await shown;
    expect([walk.report?.label, walk.refreshing, walk.failure?.code]).toEqual([label, false, 'unreachable']);
  });

  it('shows what was fetched where nothing was saved', async () => {
    wire.failing.set('reports.get', { code: 'not_found', message: '', retryable: false });
    const release = wire.holdAnswers('reports.open');
    const shown = walk.show('daily', newest());
    await settle();
    expect([walk.report, walk.failure, walk.answer.slow]).toEqual([null, null, true]);
    wire.failing.clear();
    release();
    await shown;
    expect(walk.report?.label).toBe(newest());
  });

  it('counts a story in the report, on Today and at the story in one moment', async () => {
    const daily = () => live.get('today.get', {}).value?.daily;
    onTestFinished(effect(() => void daily()));
    await open();
    const [story, other] = walk.stories.filter(({ readAt }) => readAt === null);
    const counts = () => ({ ...walk.length!, ...daily()! });
    const { read, unread } = counts();
    const saved = wire.hold('reports.markCitations');
    const marked = [story, other].map((one) => walk.markStories([one!.key!], true));
    expect([walk.length, daily()]).toMatchObject(Array(2).fill({ read: read + 2, unread: unread - 2 }));
    expect(walk.unreadKeys).toHaveLength(unread - 2);
    saved();
    await Promise.all(marked);
    await settle();
    await walk.markStories([other!.key!], false);
    expect([walk.length, daily()]).toMatchObject(Array(2).fill({ read: read + 1, unread: unread - 1 }));
  });

  it('keeps a mark that is newer than the answer that arrives', async () => {
    await open();
    const [first, second] = walk.stories.filter(({ readAt }) => readAt === null);
    const readMarks = (): boolean[] =>
      [first, second].map((story) => walk.stories.find(({ key }) => key === story!.key)!.readAt !== null);
    const release = wire.holdAnswers('reports.get');
    await walk.markStories([first!.key!], true);
    await settle();
    const saved = wire.hold('reports.markCitations');
    const marked = walk.markStories([second!.key!], true);
    release();
    await settle();
    expect(readMarks(), 'while it is being saved').toEqual([true, true]);
    saved();
    await marked;
    await settle();
    expect(readMarks(), 'when it is saved').toEqual([true, true]);
  });

  it('updates the open report and the calendar after a correction', async () => {
    await open();
    await correct({ lead: { title: 'Put right', leadParagraph: 'A paragraph.' } });
    expect([walk.report?.headline, walk.lines('daily')[0]?.headline]).toEqual(['Put right', 'Put right']);
  });
});

describe('the stories of a report', () => {
  /** Goes on as the command does. */
  function next(reads = true): boolean {
    const step = walk.nextUnread({ reads });
    if (step?.left) void walk.markStories([step.left.key!], true);
    return step !== null;
  }

  beforeEach(async () => {
    await open();
    const read = walk.stories.flatMap(({ key }, index) => (index % 5 === 1 ? key! : []));
    await wire.ask('reports.markCitations', { keys: read, read: true });
    await settle();
  });

  it('are gone through by what is unread, and what was left counts as read, to the end', async () => {
    const unread = walk.stories.flatMap(({ readAt }, index) => (readAt === null ? [index] : []));
    expect(unread.length).toBeLessThan(walk.stories.length);
    const visited: unknown[] = [];
    while (next()) {
      visited.push(walk.place);
      await settle();
    }
    expect(visited).toEqual([...unread, 'end']);
    expect(wire.argsOf('reports.markCitations')).toEqual(
      unread.map((index) => ({ keys: [walk.stories[index]!.key], read: true })),
    );
    expect(walk.length).toMatchObject({ unread: 0, read: walk.stories.length });
  });

  it('keep their marks where the reader marks by hand', async () => {
    while (next(false)) await settle();
    expect(walk.place).toBe('end');
    expect(wire.argsOf('reports.markCitations')).toEqual([]);
  });

  it('stay where they are when a correction moves them', async () => {
    next();
    next();
    await settle();
    const [before, { key }] = [walk.place, walk.stories[walk.place as number]!];
    const { sections } = await servedReport(wire.app, `/dailies/${newest()}`);
    const [first, ...others] = sections;
    await correct({ sections: [{ ...first!, items: first!.items.slice(1) }, ...others] } as never);
    expect(walk.place).not.toBe(before);
    expect(walk.stories[walk.place as number]!.key).toBe(key);
  });
});
