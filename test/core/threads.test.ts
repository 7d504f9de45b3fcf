import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ItemsQuery } from '../../src-main/contract/model/item.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { createReader } from '../../src-main/core/engine/reader.ts';
import { startIndexer } from '../../src-main/core/engine/store-threads.ts';
import { readHere, type ReadContext, type RunRead } from '../../src-main/core/reads.ts';
import { connect, connectHere, type Handlers } from '../../src-main/core/threads.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { openQueries } from '../../src-main/store/index.ts';
import { engineSettings } from '../../src-main/sync/engine/types.ts';
import { openEngine } from '../../src-main/sync/engine/engine.ts';
import { ENGINE_MODULE } from '../support/built-node.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { items } from '../support/items.ts';
import { openMadeUp, type MadeUpEvents, type MadeUpService } from '../support/made-up-service.ts';
import { openStoreScene, storeListed } from '../support/store.ts';
import type { LogLine } from '../support/test-app.ts';
import { engineHere } from '../support/test-engine.ts';

const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };
/** How long a thread may take on a busy computer. */
const WAIT = { timeout: 30_000 };
const QUIET = { log: () => undefined, on: {}, onEnd: () => new Error('ended') };
const MADE_UP = new URL('../support/made-up-service.ts', import.meta.url);
const SECRET = 'Bearer abcdef-123456';

/** A thread's module with this code. */
function moduleOf(code: string): URL {
  const imported = "import { parentPort, workerData } from 'node:worker_threads';";
  return new URL(`data:text/javascript,${encodeURIComponent(imported + code)}`);
}

/** A made-up service, and what it sent. */
async function openMadeUpThread(
  variant: 'thread' | 'here',
  { stopLimit = 500, ...setup }: { stopLimit?: number; refuses?: boolean } = {},
) {
  const log: LogLine[] = [];
  const sent: string[] = [];
  const ends: { thrown: unknown; byItself: boolean }[] = [];
  const options = {
    log: (level: string, message: string, fields = {}) => void log.push({ level, message, fields }),
    on: {
      told: ({ number }) => sent.push(`told ${number}`),
      closed: ({ running }) => sent.push(`closed with ${running} running`),
    } satisfies Handlers<MadeUpEvents>,
  };
  const onEnd = (thrown: unknown, byItself: boolean): Error => {
    ends.push({ thrown, byItself });
    return new Error('ended');
  };
  const thread =
    variant === 'thread'
      ? connect<MadeUpService, MadeUpEvents>(MADE_UP, {
          ...options,
          setup: { ...setup, isMadeUp: true },
          stopLimit,
          onEnd,
          onBusy: () => sent.push('busy'),
        })
      : (await connectHere((inside) => openMadeUp(setup, inside), options)).thread;
  onTestFinished(() => thread.stop());
  return { thread: thread, log, sent, ends };
}

describe.each(['thread', 'here'] as const)('a service, connected as a %s', (variant) => {
  it('answers calls by name, several at once, after the events of each, and fails for what cannot cross', async () => {
    const { thread, sent } = await openMadeUpThread(variant);
    await thread.opened;
    const answers = await Promise.all([thread.call('double', { count: 2 }), thread.call('double', { count: 4 })]);
    expect(answers).toEqual([4, 8]);
    expect(await thread.call('tell', { count: 3 })).toBe('all told');
    expect(sent).toEqual(['told 0', 'told 1', 'told 2']);
    await expect(thread.call('fail', { code: 'uncopied' })).rejects.toMatchObject({ code: 'internal' });
    expect(await thread.call('double', { count: 1 })).toBe(2);
  });

  it('passes on failures with their code, and defects without their message', async () => {
    const { thread, log } = await openMadeUpThread(variant);
    const failed = { code: 'not_found', message: 'As asked for.', retryable: true, reason: 'proxy' };
    await expect(thread.call('fail', { code: 'not_found' })).rejects.toMatchObject(failed);
    expect(log).toEqual([]);
    const defect = await thread.call('fail', { code: 'defect' }).catch((error: unknown) => error);
    expect(defect).toMatchObject({ code: 'internal' });
    expect(String(defect)).not.toContain(SECRET);
    expect(log).toMatchObject([{ level: 'error', message: 'Unexpected error' }]);
    expect(log[0]?.fields['trace']).toMatch(/^TypeError: A defect.*\n\s+at .*made-up-service\.ts/);
  });

  it('cancels a call, and no other', async () => {
    const { thread } = await openMadeUpThread(variant);
    const [one, other] = [new AbortController(), new AbortController()];
    const ended: string[] = [];
    const waiting = [one, other].map(({ signal }, index) =>
      thread.call('wait', null, signal).then((answer) => ended.push(`${index} ${answer}`)),
    );
    await thread.call('double', { count: 1 });
    other.abort();
    await waiting[1];
    expect(ended).toEqual(['1 cancelled']);
    one.abort();
    await waiting[0];
    await expect(thread.call('wait', null, AbortSignal.abort())).resolves.toBe('cancelled');
  });

  it('ends its calls when it is stopped, and closes after them', async () => {
    const { thread, sent } = await openMadeUpThread(variant);
    const waiting = thread.call('wait', null);
    await thread.call('double', { count: 1 });
    await Promise.all([thread.stop(), thread.stop()]);
    expect(await waiting).toBe('cancelled');
    expect(sent).toEqual(['closed with 0 running']);
  });

  it('that does not open says why', async () => {
    const opening = openMadeUpThread(variant, { refuses: true }).then(({ thread }) => thread.opened);
    await expect(opening).rejects.toMatchObject({ code: 'data_in_use' });
  });
});

describe('a thread', () => {
  it.each([
    ['ends', null],
    ['throws', 'Set by a test.'],
  ])('that %s rejects all calls', async (_, thrown) => {
    const { thread, ends } = await openMadeUpThread('thread');
    await thread.opened;
    const under = await Promise.allSettled([thread.call('wait', null), thread.call('end', { thrown })]);
    for (const call of under) expect(call).toMatchObject({ status: 'rejected', reason: new Error('ended') });
    await expect(thread.call('double', { count: 1 })).rejects.toThrow('ended');
    await thread.stop();
    expect(ends).toEqual([
      { thrown: thrown === null ? null : (expect.objectContaining({ message: thrown }) as unknown), byItself: true },
    ]);
  });

  it('that is busy is terminated at its limit, and rejects what it was asked', async () => {
    const { thread, sent, ends } = await openMadeUpThread('thread', { stopLimit: 100 });
    await thread.opened;
    const busy = expect(thread.call('busy', null)).rejects.toThrow('ended');
    await thread.stop();
    await busy;
    expect(sent).toEqual(['busy']);
    expect(ends).toEqual([{ thrown: null, byItself: false }]);
  });

  it('that is still opening is terminated at once', async () => {
    const never = moduleOf('Atomics.store(workerData.loaded, 0, 1); for (;;);');
    const thread = connect(never, { ...QUIET, setup: {}, stopLimit: 60_000 });
    await thread.stop();
    await expect(thread.opened).rejects.toThrow('ended');
  });

  it('says that too many files are open', async () => {
    const module = moduleOf("throw new Error('EMFILE: too many open files');");
    const thread = connect(module, { ...QUIET, setup: {}, stopLimit: 0 });
    await expect(thread.opened).rejects.toMatchObject({ code: 'too_many_open_files' });
  });

  it('is not terminated before it has loaded its native modules', async () => {
    const loadsLater = moduleOf(`
      parentPort.on('message', ({ id, name }) => {
        if (name === 'load') {
          Atomics.store(workerData.loaded, 0, 1);
          Atomics.notify(workerData.loaded, 0);
        } else parentPort.postMessage({ kind: 'value', id, value: 'still there' });
      });
    `);
    const thread = connect<{ ask(): string; load(): void }>(loadsLater, { ...QUIET, setup: {}, stopLimit: 0 });
    const ended = thread.stop();
    expect(await thread.call('ask')).toBe('still there');
    const loading = expect(thread.call('load')).rejects.toThrow('ended');
    await ended;
    await loading;
  });

  it('that only waits for calls does not keep its process alive', () => {
    const code = `
      import { connect } from ${JSON.stringify(new URL('../../src-main/core/threads.ts', import.meta.url))};
      const thread = connect(new URL(${JSON.stringify(MADE_UP)}), {
        setup: { isMadeUp: true }, stopLimit: 0, log() {}, on: {}, onEnd: () => new Error('ended'), idles: true,
      });
      console.log(await thread.call('double', { count: 2 }));
      await thread.opened;
    `;
    const file = join(temporaryFolder(), 'waits.mjs');
    writeFileSync(file, code);
    const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '4\n' });
  });
});

const contextAt = (now: number): ReadContext => ({
  now,
  owner: '',
  service: 'https://news.example',
  locale: 'en',
  version: '1.2.3',
  settings: DEFAULT_SETTINGS,
});

/** A thread for long reads, ready, and how many reads ran in this thread instead. */
async function openReaderScene(module = ENGINE_MODULE, { waits = true } = {}) {
  const folder = temporaryFolder();
  const { store, clock, index } = openStoreScene({ folder });
  storeListed(store, items(5));
  index();
  const queries = openQueries(folder);
  let here = 0;
  const readsHere: RunRead = (method, args, context) => {
    here += 1;
    return readHere(queries)(method, args, context);
  };
  const log: string[] = [];
  const thread = createReader(module, folder, {
    here: readsHere,
    log: (_, message) => void log.push(message),
    clock,
  });
  onTestFinished(async () => {
    await thread.stop();
    queries.close();
  });
  const args = { query: { ...ALL, text: 'title' }, limit: 3 };
  const context = contextAt(clock.now());
  for (let before = -1; waits && before !== here;) {
    before = here;
    expect((await thread.read('items.page', args, context)).rows).toHaveLength(3);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { thread, queries, store, folder, clock, args, context, log, here: () => here };
}

describe('a thread for long reads', () => {
  it('answers like a connection of this thread, and sees every commit', async () => {
    const { thread, queries, store, args, context, here } = await openReaderScene();
    const before = here();
    const there = await thread.read('items.page', args, context);
    expect(there).toEqual(await readHere(queries)('items.page', args, context));
    storeListed(store, items(9));
    expect(await thread.read('items.count', { query: ALL }, context)).toEqual({ count: 9 });
    expect(await thread.read('stories.list', { which: 'all' }, context)).toEqual({ stories: [] });
    expect(here()).toBe(before);
  });

  it('passes on failures, and is replaced by this thread once it is stopped and closed', async () => {
    const { thread, queries, store, folder, args, context, here } = await openReaderScene();
    const read = thread.read('items.page', { ...args, cursor: 'x' }, context);
    await expect(read).rejects.toMatchObject({ code: 'invalid_argument' });
    const before = here();
    await thread.stop();
    expect((await thread.read('items.page', args, context)).rows).toHaveLength(3);
    expect(here()).toBe(before + 1);
    queries.close();
    store.close();
    // The last one that writes leaves no log behind.
    expect(existsSync(join(folder, 'mirror.db-wal'))).toBe(false);
  });

  it('does what only prepares it in the thread, also while that is starting', async () => {
    const folder = temporaryFolder();
    const { store, clock, index } = openStoreScene({ folder });
    storeListed(store, items(5));
    index();
    const readsHere: string[] = [];
    const here: RunRead = (method) => {
      readsHere.push(method);
      return Promise.reject(new Error('here'));
    };
    const thread = createReader(ENGINE_MODULE, folder, { here, log: () => undefined, clock });
    onTestFinished(() => thread.stop());
    const context = contextAt(clock.now());
    const nothing = { text: '', limit: 5 };
    expect(await thread.read('search.find', nothing, context)).toMatchObject({ problems: [] });
    const found = await thread.read('search.find', { ...nothing, text: 'title' }, context);
    expect(found.groups[0]).toMatchObject({ kind: 'items', count: 5 });
    expect(readsHere).toEqual([]);
  });

  it('that stopped by itself is replaced by this thread, and connects again after a minute', async () => {
    const dies = moduleOf(`
      Atomics.store(workerData.loaded, 0, 1);
      parentPort.on('message', () => process.exit(0));
      parentPort.postMessage({ kind: 'opened' });
    `);
    const { thread, args, context, log, clock, here } = await openReaderScene(dies, { waits: false });
    const read = async (): Promise<number | undefined> => (await thread.read('items.page', args, context)).rows.length;
    // Whatever the thread did not answer was read here.
    await vi.waitFor(async () => {
      expect(await read()).toBe(3);
      expect(log).toEqual(['The thread for long reads stopped']);
    }, WAIT);
    clock.advance(59_000);
    const before = here();
    expect(await read()).toBe(3);
    expect(here()).toBe(before + 1);
    clock.advance(1_000);
    await vi.waitFor(async () => {
      expect(await read()).toBe(3);
      expect(log).toHaveLength(2);
    }, WAIT);
  });
});

/** More than what is not worth a thread. */
const ITEMS = 600;
const NOBODY = 65_534;

/** An engine in this thread with its search index in another, and how often that was started. */
async function openIndexerScene(start = () => startIndexer(ENGINE_MODULE, folder, () => undefined), selected = ITEMS) {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content: { selected, days: 30 } });
  onTestFinished(() => service.close());
  const source = { address: service.newsAddress, demo: false, from: 'option' } as const;
  const log: string[] = [];
  let started = 0;
  const opened = openEngine(
    { dataFolder: folder, source, gateway: null, version: '1.2.3', settings: engineSettings(DEFAULT_SETTINGS) },
    {
      clock,
      log: (level, message) => void log.push(`${level}: ${message}`),
      emit: () => undefined,
      startIndexer: () => {
        started += 1;
        return start();
      },
    },
  );
  const engine = engineHere(opened);
  onTestFinished(() => engine.close());
  const search = (text: string): number => engine.store.queries.items.count({ ...ALL, text }, clock.now()).count;
  return { engine, service, clock, log, search, started: () => started };
}
let folder = '';

/** Priorities of the threads of this process: above 0 is below the usual one. */
function priorities(): Map<string, number> {
  const found = new Map<string, number>();
  if (process.platform !== 'linux') return found;
  for (const thread of readdirSync('/proc/self/task')) {
    const file = `/proc/self/task/${thread}/stat`;
    // One may have ended meanwhile.
    const stat = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // The name in brackets may contain spaces.
    found.set(thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
  }
  return found;
}

describe('the search index in a thread', () => {
  it('leaves the processor to the other threads, and is complete when the sync that brought the items ends', async () => {
    folder = temporaryFolder();
    const before = priorities();
    const { engine, service, search, started, log, clock } = await openIndexerScene();
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(started()).toBe(1);
    if (process.platform === 'linux') {
      const added = [...priorities()].filter(([thread]) => !before.has(thread));
      expect(added.map(([, priority]) => priority)).toContain(10);
      for (const [thread, priority] of before) expect(priorities().get(thread) ?? priority).toBe(priority);
    }
    const { title } = service.control.selectedItems()[500]!;
    expect(search(`"${title}"`)).toBeGreaterThanOrEqual(1);
    // Merging may go on.
    await vi.waitFor(() => {
      expect(engine.store.searchIndexer().lag(1)).toBe('none');
    }, WAIT);
    // A few changes are not worth a thread, but this one still runs.
    service.control.editItem(service.control.selectedItems()[0]!.id, { title: 'Zyzzyva' });
    clock.advance(600_000);
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(search('zyzzyva')).toBe(1);
    expect(log.filter((line) => /^(warn|error)/.test(line))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('works for an ordinary user who gave it a low priority', () => {
    folder = temporaryFolder();
    const { store, queries, clock } = openStoreScene({ folder });
    storeListed(store, items(5));
    const file = join(folder, 'indexes.mjs');
    const threads = new URL('../../src-main/core/threads.ts', import.meta.url);
    writeFileSync(
      file,
      `
      import { connect } from ${JSON.stringify(threads)};
      const thread = connect(new URL(${JSON.stringify(ENGINE_MODULE)}), {
        setup: { role: 'indexer', folder: ${JSON.stringify(folder)} },
        stopLimit: 0, log: console.error, on: {}, onEnd: (thrown) => thrown ?? new Error('ended'),
      });
      await thread.call('catchUp', { more: false });
      await thread.stop();
    `,
    );
    const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if ('uid' in as) {
      for (const name of ['', ...readdirSync(folder)]) chownSync(join(folder, name), NOBODY, NOBODY);
    }
    const env = { PATH: process.env['PATH'] };
    const ran = spawnSync('nice', ['-n', '15', process.execPath, file], { ...as, env, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stdout: '' });
    expect(queries.items.count({ ...ALL, text: 'title' }, clock.now()).count).toBe(5);
  });

  it('failing once is logged once, and the next sync makes up for it', async () => {
    folder = temporaryFolder();
    let fails = true;
    const { engine, log, search, service, clock } = await openIndexerScene(() => {
      if (!fails) return startIndexer(ENGINE_MODULE, folder, () => undefined);
      fails = false;
      return { catchUp: () => Promise.reject(new Error('no thread')), stop: () => Promise.resolve() };
    });
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    clock.advance(600_000);
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(search(`"${service.control.selectedItems()[500]!.title}"`)).toBeGreaterThanOrEqual(1);
    expect(log.filter((line) => line.startsWith('warn'))).toEqual(['warn: Updating the search index failed']);
  });

  it('failing three times is given up, and the engine indexes by itself', async () => {
    folder = temporaryFolder();
    const { engine, log, search, service, clock, started } = await openIndexerScene(() => ({
      catchUp: () => Promise.reject(new Error('no thread')),
      stop: () => Promise.resolve(),
    }));
    for (let sync = 0; sync < 4; sync += 1) {
      await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
      expect(engine.store.searchIndexer().lag(1)).toBe('none');
      clock.advance(600_000);
      // In one write, so that they are worth a thread.
      const { control } = service;
      for (const { id } of control.selectedItems().slice(0, 600)) control.editItem(id, { title: `Zyzzyva ${sync}` });
      control.requireSnapshot();
    }
    expect(started()).toBe(3);
    expect(search('"Zyzzyva 2"')).toBe(600);
    expect(new Set(log.filter((line) => line.startsWith('warn')))).toEqual(
      new Set(['warn: Updating the search index failed']),
    );
  });
});
