import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { METHOD_NAMES, guardOf, type MethodName, type Reply } from '../../src-main/contract/methods.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { openSettingsStore } from '../../src-main/node/settings-store.ts';
import { argumentsOf, extremeArgumentsOf } from '../support/arguments.ts';
import { noteFigures } from '../support/figures.ts';
import { isWhole } from '../support/proofs.ts';
import { expectHeld } from '../support/properties.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { exportOf, recordsOf, recordsWith } from '../support/user-data.ts';

/** Calls of each method. */
const RUNS = isWhole ? 1_000 : 2;
/** Calls between two starts. */
const CALLS_A_START = isWhole ? 200 : 40;
/** Calls before a new folder: everything imported, followed and noted makes calls slower. */
const CALLS_A_SCENE = 5_000;
/** Milliseconds. A call that waits for the service needs some steps of the fake clock. */
const HANGS_AFTER = 20_000;
const EVERYTHING = { scope: 'all', window: 'any', state: 'any' } as const;

type Call = [method: MethodName, args: unknown];

/** For most methods. */
const SOME_NEWS = { selected: 12, unselected: 6, days: 3 };
/** For methods that download everything again, so that a thousand calls take minutes and not an hour. */
const LITTLE_NEWS = { selected: 1, unselected: 1, days: 1 };
const DOWNLOADING: readonly MethodName[] = ['data.rebuildMirror'];

/** An app with some news, and everything that its methods know by name. */
async function openScene(content = SOME_NEWS) {
  const app = await openTestApp({
    folder: 'temporary',
    content,
    gateway: (service) => ({ address: service.newsAddress, demo: true, from: 'demo' }),
  });
  const settingsFile = () => openSettingsStore({ folder: app.folder, clock: app.clock, log: app.ports.log });
  app.ports.settings = settingsFile();
  await app.reopen();
  await app.call('sync.run', { urgency: 'all' });
  await app.call('data.backUp', {});
  const { rows } = await app.call('items.page', { query: EVERYTHING, limit: 20 });
  const { stories } = await app.call('stories.list', { which: 'all' });
  const { lines } = await app.call('reports.index', { kind: 'daily' });
  const { lines: models } = await app.call('models.list', { modelList: 'models' });
  const { backups } = await app.call('data.backups', {});
  const exported = (await app.call('data.export', {})).text;
  const words = [
    ...rows.flatMap(({ id, title, links }) => [id, title.slice(0, 6), links.original ?? id]),
    ...stories.map(({ publicId }) => publicId),
    ...lines.map(({ label }) => label),
    ...models.slice(0, 5).map(({ id }) => id),
    ...backups.map(({ name }) => name),
    exported,
    ...importsOf(rows[0]!.id),
    'http://127.0.0.1:1',
    app.service.newsAddress,
    '08:00',
  ];
  const restart = async () => {
    app.ports.settings = settingsFile();
    await app.reopen();
  };
  const close = async () => {
    await app.core.close();
    await app.service.close();
  };
  return { app, words, restart, close };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Export files with rows that a schema alone would accept. */
function importsOf(id: string): string[] {
  const times = [0, 8.64e15, 253_402_300_799_000];
  return [
    ...times.map((at) =>
      exportOf([...recordsOf('read', 'demo', { [id]: at }), ...recordsWith('star', [id], at, 'demo')]),
    ),
    exportOf(
      Array.from({ length: 300 }, (_, n) => ({
        ...{ kind: 'workload', service: '', id: String(n + 1) },
        value: { ...WORKLOAD, name: `Imported ${n}` },
      })),
    ),
    exportOf([...recordsOf('address', '', { '\u0000': 1 }), ...recordsOf('k'.repeat(2_000), '', { a: 1 })]),
  ];
}
const WORKLOAD = { tokensIn: 1e9, tokensOut: 0, tokensCached: 0, requestsAMonth: 1e9, createdAt: 8.64e15 };

/** Waits for a call while the app's clock runs. */
async function settled<T>(app: TestApp, call: Promise<T>): Promise<T | 'hangs'> {
  let done = false;
  const ended = call.finally(() => (done = true));
  const startedAt = performance.now();
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- changed by the callback above
  while (!done) {
    if (performance.now() - startedAt > HANGS_AFTER) return 'hangs';
    await setImmediate();
    app.clock.advance(100);
  }
  return ended;
}

/** Calls that must always work, whatever was called before. */
const ALWAYS: readonly Call[] = [
  ['sync.status', {}],
  ['settings.get', {}],
  ['counts.get', {}],
  ['health.get', {}],
  ['items.page', { query: EVERYTHING, limit: 50 }],
  ['items.mark', { ids: ['a'], mark: 'star' }],
  ['items.mark', { ids: ['a'], mark: 'unstar' }],
  ['stories.list', { which: 'all' }],
  ['reports.index', { kind: 'daily' }],
  ['models.list', { modelList: 'models' }],
  ['workloads.list', {}],
  ['visits.sinceLast', {}],
  ['notifications.list', { limit: 50 }],
  ['data.export', {}],
  ['sync.run', { urgency: 'permitted' }],
  ['settings.set', { patch: { ...DEFAULT_SETTINGS } }],
  ['sync.resume', {}],
];

const inShort = ([method, args]: Call): string => `${method} ${JSON.stringify(args).slice(0, 300)}`;

/** Describes the fault of a reply; null if there is none. `must`: it has to succeed. */
function wrongIn(call: Call, reply: Reply<unknown> | 'hangs', must: boolean): string | null {
  if (reply === 'hangs') return `hangs: ${inShort(call)}`;
  if (reply.ok) return null;
  const { code, message } = reply.error;
  if (code === 'internal' || must) return `${code}: ${inShort(call)}`;
  return message.length > 1_000 ? `long: ${inShort(call)}` : null;
}

async function expectFine({ app }: Scene, call: Call, must: boolean): Promise<string> {
  const reply = await settled(app, app.reply(call[0], call[1] as never));
  const wrong = wrongIn(call, reply, must);
  if (wrong !== null) throw new Error(wrong);
  return reply === 'hangs' ? reply : reply.ok ? 'ok' : reply.error.code;
}

/** The page's own reports have a trace, too. */
function expectNoDefect({ app }: Scene): void {
  const traced = app.log.filter(({ fields }) => 'trace' in fields && fields['where'] !== 'page');
  const defects = traced.map(({ message, fields }) => `${message}: ${String(fields['trace'])}`);
  app.log.length = 0;
  if (defects.length > 0) throw new Error(defects.join('\n'));
}

/** Expects everything to work that works after a start. */
async function expectWorking(scene: Scene): Promise<void> {
  await scene.restart();
  for (const one of ALWAYS) await expectFine(scene, one, true);
  expectNoDefect(scene);
}

/** Calls each method with {@link RUNS} arguments, and says what came back. */
async function callAll(methods: readonly MethodName[], content: typeof SOME_NEWS) {
  let scene = await openScene(content);
  let starts = 0;
  let sinceScene = 0;
  const codes = new Map<string, number>();
  const renew = async (): Promise<void> => {
    await scene.close();
    [scene, sinceScene] = [await openScene(content), 0];
  };
  const check = async (call: Call, alone: boolean): Promise<void> => {
    if (alone || sinceScene >= CALLS_A_SCENE) await renew();
    sinceScene += 1;
    const code = await expectFine(scene, call, false);
    if (!alone) codes.set(code, (codes.get(code) ?? 0) + 1);
    expectNoDefect(scene);
    if (!alone && sinceScene % CALLS_A_START !== 0) return;
    starts += 1;
    await expectWorking(scene);
  };

  const slowest = { method: '', seconds: 0 };
  for (const method of methods) {
    const usual = argumentsOf(guardOf(method), scene.words);
    const extreme = extremeArgumentsOf(guardOf(method), scene.words);
    const args = extreme === null ? usual : fc.oneof(usual, extreme);
    const cases = args.map((one): Call => [method, one]);
    const begun = performance.now();
    await expectHeld(cases, RUNS, check);
    const seconds = (performance.now() - begun) / 1_000;
    if (seconds > slowest.seconds) Object.assign(slowest, { method, seconds });
  }
  await expectWorking(scene);
  return { codes, starts, slowest };
}

describe('the methods of the contract', () => {
  it.each([
    ['that read and write', METHOD_NAMES.filter((name) => !DOWNLOADING.includes(name)), SOME_NEWS],
    ['that download everything again', DOWNLOADING, LITTLE_NEWS],
  ])('%s survive extreme and random arguments, and restarts', async (_what, methods, content) => {
    const { codes, starts, slowest } = await callAll(methods, content);
    noteFigures({
      what: `calls of ${methods.length} methods`,
      amount: methods.length * RUNS,
      counts: {
        restarts: starts,
        'internal errors': codes.get('internal') ?? 0,
        hangs: codes.get('hangs') ?? 0,
        accepted: codes.get('ok') ?? 0,
        slowest: `${slowest.method} ${slowest.seconds.toFixed(0)} s`,
      },
    });
  });
});
