import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { MethodName, Reply } from '../../src-main/contract/api.ts';
import { guardOf, METHOD_NAMES } from '../../src-main/contract/methods.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { openSettingsStore } from '../../src-main/node/settings-store.ts';
import { extremeValues, randomValue } from '../support/arguments.ts';
import { isWhole } from '../support/proofs.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { pick, seededRandom } from '../store/search/search-items.ts';

const SEED = 11;
const CALLS = isWhole ? { random: 5_000, extreme: 1_000 } : { random: 100, extreme: 100 };
const CALLS_A_START = 10;
/** Milliseconds. A call that waits for the service needs some steps of the fake clock. */
const HANGS_AFTER = 20_000;
const EVERYTHING = { scope: 'all', window: 'any', state: 'any' } as const;

type Call = [method: MethodName, args: unknown];

/** An app with some news, and everything that its methods know by name. */
async function openScene() {
  const app = await openTestApp({
    folder: 'temporary',
    content: { selected: 12, unselected: 6, days: 3 },
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
  return { app, words, restart };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Export files with rows that a schema alone would accept. */
function importsOf(id: string): string[] {
  const times = [0, 8.64e15, 253_402_300_799_000];
  const file = (tables: object): string => JSON.stringify({ format: 'broadsheet-user-data', version: 1, tables });
  return [
    ...times.map((at) => file({ item_status: [{ mirror: 'demo', item_id: id, read_at: at, starred_at: at }] })),
    file({ workload: Array.from({ length: 300 }, (_, n) => ({ ...WORKLOAD, name: `Imported ${n}` })) }),
    file({ address_status: [{ address: '\u0000', read_at: 1 }], ['k'.repeat(2_000)]: [{}] }),
  ];
}
const WORKLOAD = { tokens_in: 1e9, tokens_out: 0, tokens_cached: 0, requests_a_month: 1e9, created_at: 8.64e15 };

/** Waits for a call while the app's clock goes on. */
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

/** What an app must always do, whatever it was called with before. */
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

/** Calls everything, restarts after every tenth call, and names the calls that must not be. */
async function walk({ app, restart }: Scene, calls: readonly Call[]) {
  const wrong: string[] = [];
  const codes = new Map<string, number>();
  let starts = 0;
  const note = (call: Call, reply: Reply<unknown> | 'hangs', allowed: boolean): void => {
    const code = reply === 'hangs' ? reply : reply.ok ? 'ok' : reply.error.code;
    if (allowed) codes.set(code, (codes.get(code) ?? 0) + 1);
    if (code === 'hangs' || code === 'internal' || (!allowed && code !== 'ok')) wrong.push(`${code}: ${inShort(call)}`);
    if (reply !== 'hangs' && !reply.ok && reply.error.message.length > 1_000) wrong.push(`long: ${inShort(call)}`);
  };
  for (const [index, call] of calls.entries()) {
    note(call, await settled(app, app.reply(call[0], call[1] as never)), true);
    if ((index + 1) % CALLS_A_START !== 0) continue;
    await restart();
    starts += 1;
    for (const one of ALWAYS) note(one, await settled(app, app.reply(one[0], one[1] as never)), false);
  }
  // The page's own reports have a trace, too.
  const traced = app.log.filter(({ fields }) => 'trace' in fields && fields['where'] !== 'page');
  const defects = traced.map(({ message, fields }) => `${message}: ${String(fields['trace'])}`);
  return { wrong, defects, starts, codes: Object.fromEntries(codes) };
}

describe('the methods of the contract', { timeout: 40 * 60_000 }, () => {
  it('survive extreme and random arguments, and restarts', async () => {
    const random = seededRandom(SEED);
    const scene = await openScene();
    const { words } = scene;
    const extreme = METHOD_NAMES.flatMap((method) =>
      extremeValues(guardOf(method), random, words).map((args): Call => [method, args]),
    );
    const chosen = Array.from({ length: CALLS.extreme }, () => pick(random, extreme));
    const others = Array.from({ length: CALLS.random }, (): Call => {
      const method = pick(random, METHOD_NAMES);
      return [method, randomValue(guardOf(method), random, words)];
    });
    const calls = [...chosen, ...others].sort(() => random() - 0.5);
    const { wrong, defects, starts, codes } = await walk(scene, calls);
    // eslint-disable-next-line no-console -- the figures of a proof
    if (isWhole) console.log(`${calls.length} calls, ${starts} restarts, replies: ${JSON.stringify(codes)}`);
    expect(wrong).toEqual([]);
    expect(defects).toEqual([]);
  });
});
