/**
 * The app in its own process, with the engine in its thread: `fork` it with a folder and the address of a service. It
 * sends `ready`, syncs once for each message, and then sends a {@link Round}. Meanwhile it does what a page does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MethodName } from '../../../src-main/contract/methods.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { DEMO_KEY } from '../../../src-main/contract/model/model.ts';
import { createCore } from '../../../src-main/core/core.ts';
import { memoryKeys } from '../keys.ts';
import { plainPorts } from '../plain-ports.ts';
import { ENGINE_MODULE } from '../built-node.ts';

/** Items that are starred after the first sync. */
const STARRED = 20;

/** Events during a sync. Times in ms. */
export interface Round {
  result: SyncResult | null;
  /** Codes of failed resources and calls. */
  codes: string[];
  /** The longest reply of the engine, which waits for its longest step. */
  engine: number;
  /** The longest reply of a method that reads for the page, and its name. */
  page: number;
  slowest: string;
  /** The largest reply for the page, in UTF-16 units of JSON. */
  reply: number;
  /** Peak memory of the process so far, in MB. */
  memory: number;
  /** Errors in the log. */
  errors: string[];
  /** Items that the reader starred after the first sync and that are still there. */
  starred: number;
}

const [folder = '', address = ''] = process.argv.slice(2);
const errors: string[] = [];
const core = await createCore({
  ...plainPorts({ dataFolder: folder, address }),
  engineModule: ENGINE_MODULE,
  log: (level, message, fields) => {
    if (level === 'error' || fields?.['code'] === 'internal') errors.push(`${message} ${JSON.stringify(fields)}`);
  },
  settings: { get: () => ({ ...DEFAULT_SETTINGS, polling: 'byHand' }), set: () => undefined },
  gateway: () => ({ address, demo: false, from: 'option' }),
  keys: memoryKeys({ key: DEMO_KEY, origin: address }),
});

const call = core.wire.call as (method: MethodName, args: unknown) => Promise<{ ok: boolean; value?: unknown }>;
const everything = { scope: 'all', window: 'any', state: 'any' };
/** The calls of a page, with the longest reply last. */
const READS: [MethodName, unknown][] = [
  ['counts.get', {}],
  ['items.page', { query: everything, limit: 100 }],
  ['items.page', { query: { ...everything, text: 'word' }, limit: 50 }],
  ['hotTopics.list', {}],
  ['stories.list', { which: 'all' }],
  ['reports.index', { kind: 'daily' }],
  ['models.list', { modelList: 'models' }],
];

async function timed(method: MethodName, args: unknown): Promise<{ took: number; size: number }> {
  const from = performance.now();
  const reply = await call(method, args);
  const took = performance.now() - from;
  return { took, size: JSON.stringify(reply).length };
}

async function play(round: Round, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const [method, args] = READS[n % READS.length]!;
    const { took, size } = await timed(method, args);
    if (took > round.page) Object.assign(round, { page: took, slowest: method });
    round.reply = Math.max(round.reply, size);
    await sleep(5);
  }
}

/** Asks the engine for its status again and again. */
async function watch(round: Round, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    round.engine = Math.max(round.engine, (await timed('sync.status', {})).took);
    await sleep(2);
  }
}

async function sync(): Promise<Round> {
  const round: Round = {
    result: null,
    codes: [],
    engine: 0,
    page: 0,
    slowest: '',
    reply: 0,
    memory: 0,
    errors: [],
    starred: 0,
  };
  let over = false;
  const running = core.wire.call('sync.run', { urgency: 'now' });
  const done = running.then(async (reply) => {
    // Work that follows a sync: the search index and the mentions of models.
    await sleep(50);
    over = true;
    return reply;
  });
  const [reply] = await Promise.all([done, play(round, () => over), watch(round, () => over)]);
  if (reply.ok) {
    round.result = reply.value;
    for (const { error } of Object.values(reply.value.resources)) if (error) round.codes.push(error.code);
  } else round.codes.push(reply.error.code);
  round.memory = process.resourceUsage().maxRSS / 1024;
  round.errors = errors.splice(0);
  round.starred = await countStarred();
  return round;
}

let starredOnce = false;

/** Stars the newest items once; then counts those that are listed. */
async function countStarred(): Promise<number> {
  const { wire } = core;
  const ids = async (query: ItemsQuery) => {
    const reply = await wire.call('items.page', { query, limit: 500 });
    return reply.ok ? reply.value.rows.map(({ id }) => id) : [];
  };
  const all = { scope: 'all', window: 'any', state: 'any' } as const;
  if (!starredOnce) await wire.call('items.mark', { ids: (await ids(all)).slice(0, STARRED), mark: 'star' });
  starredOnce = true;
  return (await ids({ ...all, state: 'starred' })).length;
}

process.on('message', () => void sync().then((round) => process.send?.(round)));
process.on('disconnect', () => void core.close().then(() => process.exit()));
process.send?.('ready');
