import { describe, expect, it, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../src-main/contract/errors.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';
import {
  JUNK_COUNT,
  startFaultyService,
  type FaultKind,
  type FaultOptions,
  type FaultyService,
} from '../../support/faults.ts';
import { casesOf } from '../../support/proofs.ts';
import { EVERYTHING, expectEqualSets, rowsOf } from '../../support/selected-set.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = '2026-03-18T06:30:00Z';

interface Scene extends TestEngine {
  service: DemoService;
  faulty: FaultyService;
  clock: FakeClock;
}

/** A store that is level with its service, the service an item ahead, and time for the next round. */
async function openScene(totalMs: number): Promise<Scene> {
  const clock = fakeClock(START);
  const service = await startDemoService({ clock, content: { selected: 30, days: 5 } });
  onTestFinished(() => service.close());
  const faulty = await startFaultyService({ upstream: service.newsAddress });
  onTestFinished(() => faulty.close());
  const room = openTestEngine({ address: faulty.address, clock, timeouts: { totalMs } });
  expect(await sync(room, 'now')).toMatchObject({ ok: true });
  service.control.addItem({ title: 'Not yet known' });
  clock.advance(20 * MINUTE);
  faulty.forgetRequests();
  return { ...room, service, faulty };
}

/** Those with one question only: stories and reports have tests of their own. */
const NAMES = ['items', 'selected', 'hotTopics'] as const;

const sync = ({ call }: TestEngine, urgency: 'due' | 'permitted' | 'now') =>
  call('sync.run', { urgency, resources: [...NAMES] });

interface Fault {
  kind: FaultKind;
  code: ErrorCode;
  options?: FaultOptions;
  /** How long the service asks for a pause, in ms. */
  pause?: number;
  /** Most requests of one resource. */
  requests?: number;
  /** Most requests of one page of items or changes, if it is requested in smaller parts. */
  pageRequests?: number;
  totalMs?: number;
}

/** 20 minutes and the pause after the scene began. */
const LATER = new Date(Date.parse(START) + 22 * MINUTE).toUTCString();

/** With a limit of 100, 50, 25, 12, 6, 3 and 1. */
const HALVINGS = 7;

const FAULTS: Fault[] = [
  { kind: 'status503', options: { retryAfter: 120 }, pause: 2 * MINUTE, code: 'temporarily_unavailable' },
  { kind: 'status503', options: { retryAfter: null }, code: 'temporarily_unavailable' },
  { kind: 'status429', options: { retryAfter: 3600 }, pause: 60 * MINUTE, code: 'rate_limited' },
  { kind: 'status429', options: { retryAfter: LATER }, pause: 2 * MINUTE, code: 'rate_limited' },
  { kind: 'htmlPage200', code: 'wrong_content_type' },
  { kind: 'htmlPage502', code: 'service_error' },
  { kind: 'wrongType', code: 'wrong_content_type' },
  { kind: 'brokenJson', code: 'invalid_body' },
  { kind: 'cutShort', code: 'cut_short' },
  { kind: 'connectionReset', code: 'unreachable' },
  { kind: 'endless', code: 'timeout', totalMs: SECOND },
  { kind: 'silent', code: 'timeout', totalMs: SECOND },
  { kind: 'redirectLoop', code: 'too_many_redirects', requests: 6 },
  { kind: 'redirectElsewhere', code: 'redirect_refused' },
  { kind: 'hugeBody', code: 'too_large', pageRequests: HALVINGS },
  { kind: 'zipBomb', code: 'too_large', pageRequests: HALVINGS },
  { kind: 'problem', options: { status: 403, code: 'forbidden' }, code: 'forbidden' },
  { kind: 'problem', options: { status: 404, code: 'not_found' }, code: 'not_found' },
];

/** One of each way in which a sync goes on. */
const SAMPLE = [
  'status503',
  'status429',
  'htmlPage200',
  'brokenJson',
  'connectionReset',
  'silent',
  'redirectLoop',
  'problem',
].map((wanted) => FAULTS.findIndex(({ kind }) => kind === wanted));

/** Nothing is sent, though it is asked for. */
async function expectSilence(scene: Scene, urgencies: Parameters<typeof sync>[1][]): Promise<void> {
  for (const urgency of urgencies) {
    const { resources } = await sync(scene, urgency);
    for (const name of NAMES) expect(resources[name]).toMatchObject({ status: 'notDue' });
  }
  expect(scene.faulty.requests).toEqual([]);
}

describe('a service with a fault', () => {
  // Holds: news-4.7-not-given
  // The tests of the client hold the code of each. Reading what is too large takes seconds.
  it.each(casesOf(FAULTS, SAMPLE))('($kind) fails with $code and loses nothing', async (fault) => {
    const { kind, code, options = {}, pause = 0, requests = 1, pageRequests = requests, totalMs = 30 * SECOND } = fault;
    const scene = await openScene(totalMs);
    const { faulty, clock, engine } = scene;
    const before = await rowsOf(scene, EVERYTHING);
    const ranking = engine.store.queries.rankings.list();
    faulty.fault(/^\/api\//, kind, options);

    const { ok, resources } = await sync(scene, 'due');
    expect(ok).toBe(false);
    // The list waits for the selected set, so a Retry-After stops it before its first request.
    const failing = NAMES.filter((name) => pause === 0 || name !== 'items');
    if (pause > 0) expect(resources.items).toMatchObject({ status: 'notDue', requests: 0 });
    for (const name of failing) {
      const failed = { status: 'failed', requests: name === 'hotTopics' ? requests : pageRequests, error: { code } };
      expect(resources[name]).toMatchObject(failed);
      expect(engine.store.queries.schedule.runs(name, 1)).toMatchObject([failed]);
    }
    expect(await rowsOf(scene, EVERYTHING)).toEqual(before);
    expect(engine.store.queries.rankings.list()).toEqual(ranking);
    const status = await scene.call('sync.status', {});
    expect(status).toMatchObject({
      selectedComplete: true,
      reachable: code !== 'unreachable' && code !== 'timeout',
    });
    for (const name of failing) {
      const resource = status.resources.find((one) => one.name === name);
      expect(resource).toMatchObject({ failures: 1, error: { code } });
    }

    faulty.mend();
    faulty.forgetRequests();
    const wait = Math.max(pause, 30 * SECOND);
    await expectSilence(scene, pause > 0 ? ['due', 'permitted', 'now'] : ['due']);
    clock.advance(wait - 1);
    await expectSilence(scene, wait === pause ? ['due', 'permitted', 'now'] : ['due']);
    // After a pause, polling continues with each resource at its own time.
    clock.advance(1 + wait / 10 + Math.min(5 * MINUTE, 3 * pause));
    expect(await sync(scene, 'due')).toMatchObject({
      ok: true,
      resources: { selected: { added: expect.any(Number) as number } },
    });
    await expectEqualSets(scene, scene.service.control);
    expect(scene.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('(junk between the records) counts them and leaves them out', async () => {
    const scene = await openScene(30 * SECOND);
    scene.service.control.requireSnapshot();
    scene.faulty.fault(/^\/api\//, 'junkRecords');
    const { ok, resources } = await sync(scene, 'due');
    expect(ok).toBe(true);
    // The snapshot and the changes after it.
    expect(resources.selected).toMatchObject({ status: 'ok', skipped: 2 * JUNK_COUNT, withdrawn: 0 });
    expect(resources.items).toMatchObject({ status: 'ok', skipped: JUNK_COUNT });
    const [run] = scene.engine.store.queries.schedule.runs('items', 1);
    expect(run!.skippedReasons).toHaveLength(JUNK_COUNT);
    expect(run!.skippedReasons).toContain('a record is null, not an object');
    expect(scene.log).toContainEqual({
      level: 'warn',
      message: `Left out ${String(JUNK_COUNT)} records that can't be read, until the service corrects that`,
      fields: { resource: 'items', reason: run!.skippedReasons.join('; ') },
    });
    expect(run!.skippedReasons).toContain('no-title: title is missing or not a string');
    await expectEqualSets(scene, scene.service.control);
  });

  it('(endless pages) ends the sync', async () => {
    const scene = await openScene(30 * SECOND);
    let page = 0;
    const endless = await startDemoService({
      clock: scene.clock,
      content: { selected: 0 },
      intercept: (_, response) => {
        const body = { cursor: `c${(page += 1)}`, hasMore: true, nextPage: `p${page}`, items: [], changes: [] };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return true;
      },
    });
    onTestFinished(() => endless.close());
    const room = openTestEngine({ address: endless.newsAddress, clock: scene.clock });
    const { resources } = await room.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(resources.selected).toMatchObject({ status: 'failed', requests: page, error: { code: 'invalid_body' } });
  });
});

describe('a page of changes that fails', () => {
  it('costs none of the pages before it, which are not requested again', async () => {
    const clock = fakeClock(START);
    const cursors: (string | null)[] = [];
    let fails = false;
    const service = await startDemoService({
      clock,
      content: { selected: 250, days: 5 },
      intercept: (request, response) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        if (!url.pathname.endsWith('/changes')) return false;
        cursors.push(url.searchParams.get('cursor'));
        if (!fails || cursors.length < 3) return false;
        response.writeHead(500).end();
        return true;
      },
    });
    onTestFinished(() => service.close());
    const room = openTestEngine({ address: service.newsAddress, clock });
    expect(await sync(room, 'now')).toMatchObject({ ok: true });
    for (const { id } of service.control.selectedItems()) service.control.editItem(id, { title: `New title of ${id}` });
    cursors.length = 0;
    fails = true;
    const failed = await room.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(failed.resources.selected).toMatchObject({ status: 'failed', revised: 200 });
    // Saved together: the page gets one event.
    const heard = room.events.flatMap(({ event, payload }) => (event === 'items.changed' ? [payload.revised] : []));
    expect(heard.filter((revised) => revised > 0)).toEqual([200]);
    fails = false;
    clock.advance(20 * MINUTE);
    expect(await sync(room, 'now')).toMatchObject({ ok: true, resources: { selected: { revised: 50 } } });
    expect(cursors.filter((cursor) => cursor === cursors[0])).toHaveLength(1);
    await expectEqualSets(room, service.control);
  });
});

describe('a Retry-After', () => {
  it('applies once, also for short-lived processes, when the clock was set back', async () => {
    const app = await openScene(30 * SECOND);
    app.faulty.fault(/selected/, 'status429', { retryAfter: 600 });
    const folder = temporaryFolder();
    const at = async (minutes: number, days: number) => {
      const clock = fakeClock(Date.parse(START) + minutes * MINUTE - days * 24 * 60 * MINUTE);
      const room = openTestEngine({ address: app.faulty.address, clock, folder });
      const { resources } = await room.call('sync.run', { urgency: 'now', resources: ['selected'] });
      await room.engine.close();
      return resources.selected.status;
    };
    expect(await at(0, 0)).toBe('failed');
    app.faulty.mend();
    expect(await at(1, 365)).toBe('notDue');
    expect(await at(6, 365)).toBe('notDue');
    expect(await at(11, 365)).toBe('ok');
  });
});
