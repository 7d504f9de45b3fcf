import { once } from 'node:events';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { startCli, type Running } from '../../node/child.ts';
import { fakeClock } from '../../support/clock.ts';
import { noteFigures } from '../../support/figures.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { expectSoundFiles } from '../../support/killed-sync.ts';
import { casesOf, isWhole } from '../../support/proofs.ts';
import { expectEqualSets } from '../../support/selected-set.ts';
import { openTestEngine } from '../../support/test-engine.ts';
import { signIn } from '../../support/sign-in.ts';
import { isTimed } from '../../support/timed.ts';
import { exportOf, idsIn, recordsWith } from '../../support/user-data.ts';

/** The work of `serve` when it gets the signal. */
type Work =
  'snapshot' | 'indexing' | 'import' | 'rebuild' | 'check' | 'export' | 'restore' | 'backup' | 'marks' | 'settings';

/** SIGHUP: the reader logs out. Page closed: the connections of the window end, with calls that have no answer yet. */
type End = 'SIGTERM' | 'SIGHUP' | 'page closed';

interface Moment {
  work: Work;
  end: End;
  /** ms after it has begun. Where in its work the process is by then is left to chance. */
  ms: number;
}

// The sample below is of these, by index.
const WORKS: Work[] = [
  'snapshot',
  'indexing',
  'import',
  'rebuild',
  'check',
  'export',
  'restore',
  'backup',
  'marks',
  'settings',
];
const MOMENTS = [
  ...WORKS.flatMap((work) => [0, 20, 100, 400].map((ms): Moment => ({ work, end: 'SIGTERM', ms }))),
  ...WORKS.flatMap((work) => (['SIGHUP', 'page closed'] as const).map((end): Moment => ({ work, end, ms: 50 }))),
];
const ROWS = isWhole ? 30_000 : 8_000;
const NEWS = ['items', 'selected'] as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Serving = Running & {
  call(method: string, args: object): Promise<unknown>;
  /** Ends all calls that have no answer yet. */
  closePage(): void;
};

interface Scene {
  service: DemoService;
  folder: string;
  /** Resolves when the page with this number of the snapshot was sent. */
  sent(page: number): Promise<unknown>;
  serve(): Promise<Serving>;
}

async function openScene(work: Work): Promise<Scene> {
  // Pages of a snapshot, where it is what is interrupted.
  const selected = isWhole ? 6_000 : work === 'indexing' || work === 'snapshot' ? 3_000 : 300;
  const pages = Array.from({ length: 8 }, () => Promise.withResolvers<unknown>());
  let count = 0;
  const service = await startDemoService({
    clock: fakeClock(),
    content: { selected, unselected: 20, days: 30 },
    intercept: ({ url = '' }, response) => {
      const page = url.includes('/selected/snapshot') ? pages[count++] : undefined;
      if (page) response.once('finish', () => page.resolve(null));
      return false;
    },
  });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const serve: Scene['serve'] = async () => {
    const running = startCli(['serve', '--data', folder, '--news', service.newsAddress]);
    const [line] = (await once(running.child.stdout, 'data')) as [string];
    const address = new URL((JSON.parse(line) as { url: string }).url);
    const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
    let page = new AbortController();
    const call = async (method: string, args: object): Promise<unknown> => {
      const { signal } = page;
      const body = JSON.stringify(args);
      return (await fetch(`${address.origin}/call/${method}`, { method: 'POST', headers, body, signal })).json();
    };
    const closePage = (): void => {
      page.abort();
      page = new AbortController();
    };
    return { ...running, call, closePage };
  };
  return { service, folder, sent: (page) => pages[page]?.promise ?? Promise.resolve(), serve };
}

/** Starts the work; resolves when it has begun. `starred` is called with each mark that was confirmed. */
async function begin(work: Work, { sent }: Scene, { call }: Serving, starred: (id: string) => void): Promise<void> {
  if (work === 'snapshot' || work === 'indexing') {
    await sent(work === 'snapshot' ? 1 : 5);
    return;
  }
  await call('sync.run', { urgency: 'due', resources: NEWS });
  const ids = Array.from({ length: ROWS }, (_, at) => `other-${at}`);
  const text = exportOf(recordsWith('read', ids));
  const repeat = async (method: string, args: (n: number) => object): Promise<void> => {
    for (let n = 0; ; n += 1) await call(method, args(n));
  };
  if (work === 'export') void repeat('data.export', () => ({})).catch(() => undefined);
  if (work === 'backup') void repeat('data.backUp', () => ({})).catch(() => undefined);
  const star = async (n: number): Promise<void> => {
    const reply = (await call('items.mark', { ids: [`other-${n}`], mark: 'star' })) as { ok: boolean };
    if (!reply.ok) throw new Error('refused');
    starred(`other-${n}`);
  };
  await star(ROWS);
  const starMore = async (): Promise<void> => {
    for (let n = 0; ; n += 1) await star(n);
  };
  if (work === 'marks') void starMore().catch(() => undefined);
  if (work === 'settings')
    void repeat('settings.set', (n) => ({ patch: { recentSearches: [`search ${n}`] } })).catch(() => undefined);
  if (work === 'restore') {
    const { value } = (await call('data.backUp', {})) as { value: { backups: { name: string }[] } };
    void repeat('data.restore', () => ({ name: value.backups[0]?.name })).catch(() => undefined);
  }
  // The process may end before it answers.
  if (work === 'import') void call('data.import', { text }).catch(() => undefined);
  if (work === 'rebuild') void call('data.rebuildMirror', {}).catch(() => undefined);
  if (work === 'check') void call('health.check', {}).catch(() => undefined);
}

// On Windows a process cannot handle signals.
describe.skipIf(process.platform === 'win32')('serve that is stopped or left', () => {
  let longest = 0;
  const moments = casesOf(MOMENTS, [1, 10, 57]);
  afterAll(() => {
    const counts = { 'longest until it ended': `${longest.toFixed(0)} ms` };
    noteFigures({ what: `stops during ${WORKS.length} kinds of work`, amount: moments.length, counts });
  });

  it.each(moments)('$ms ms into $work, by $end, leaves whole files', async ({ work, end, ms }) => {
    const scene = await openScene(work);
    const running = await scene.serve();
    const confirmed: string[] = [];
    await begin(work, scene, running, (id) => confirmed.push(id));
    await pause(ms);
    const told = performance.now();
    if (end === 'page closed') {
      running.closePage();
      // Whoever opens the page again is answered.
      expect(await running.call('sync.status', {})).toMatchObject({ ok: true });
    }
    running.child.kill(end === 'SIGHUP' ? 'SIGHUP' : 'SIGTERM');
    const { code } = await running.ended;
    const took = performance.now() - told;
    longest = Math.max(longest, took);
    // Only in the proofs, which run alone on the computer.
    if (isTimed) expect(took).toBeLessThan(2_000);
    // Null if native code had to be cut short.
    expect([0, null]).toContain(code);

    const { service, folder } = scene;
    const room = openTestEngine({ address: service.newsAddress, folder });
    expect((await room.call('sync.status', {})).storageWarnings).toEqual([]);
    const stars = new Set(idsIn(room.queries.userData.records(), 'star'));
    expect(confirmed.filter((id) => !stars.has(id))).toEqual([]);
    expect(await room.call('sync.run', { urgency: 'now', resources: [...NEWS] })).toMatchObject({ ok: true });
    await expectEqualSets(room, service.control);
    await room.engine.close();
    expectSoundFiles(folder);
  });
});
