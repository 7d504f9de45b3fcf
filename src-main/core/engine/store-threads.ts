import { BroadsheetError } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import {
  openQueries,
  openSearchIndexer,
  type CheckOptions,
  type CheckResult,
  type OpenSearchIndexer,
} from '../../store/index.ts';
import type { IndexerThread } from '../../sync/engine/indexing.ts';
import { connect, type Inside, type Opened } from '../threads.ts';

export interface IndexerSetup {
  role: 'indexer';
  folder: string;
}

interface IndexerService {
  catchUp(args: { more: boolean }): Promise<void>;
}

/** Merges the segments of a load after the reply, those of an earlier run first. */
export function openIndexer({ folder }: IndexerSetup): Opened<IndexerService> {
  let indexer: OpenSearchIndexer | null = null;
  let isStopped = false;
  let waiting = 0;
  let queue = Promise.resolve();

  /** One step per turn, so that stopping works in between. */
  async function inSteps(step: () => boolean): Promise<void> {
    while (!isStopped && step()) await nextTurn();
  }
  async function catchUp(more: boolean): Promise<void> {
    const isFirst = indexer === null;
    const { index, merge } = (indexer ??= openSearchIndexer(folder));
    let steps = 0;
    await inSteps(() => index(more) && (steps += 1) > 0);
    if (isFirst && steps === 0 && !more) await inSteps(merge);
  }
  /** Yields to calls. A failure loses nothing; damaged files are noticed at the next start. */
  async function mergeLater(): Promise<void> {
    await nextTurn();
    await inSteps(() => waiting === 0 && indexer !== null && indexer.merge()).catch(() => undefined);
  }

  return {
    service: {
      catchUp: ({ more }) => {
        waiting += 1;
        const caughtUp = queue.then(() => catchUp(more)).finally(() => (waiting -= 1));
        queue = caughtUp.then(
          () => (more ? undefined : mergeLater()),
          () => undefined,
        );
        return caughtUp;
      },
    },
    close: async () => {
      isStopped = true;
      await queue;
      indexer?.close();
    },
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const INDEXER_STOP_LIMIT_MS = 800;

export function startIndexer(module: URL, folder: string, log: Log): IndexerThread {
  const { call, stop } = connect<IndexerService>(module, {
    setup: { role: 'indexer', folder } satisfies IndexerSetup,
    stopLimit: INDEXER_STOP_LIMIT_MS,
    log,
    on: {},
    onEnd: (thrown) =>
      thrown instanceof Error ? thrown : new BroadsheetError('closed', 'The thread of the search index stopped.'),
    idles: true,
  });
  return { catchUp: (more) => call('catchUp', { more }), stop };
}

export interface CheckSetup {
  role: 'check';
  folder: string;
}

export interface CheckService {
  /** Null if it was stopped between two steps. `at` is ms since 1970. */
  check(args: { at: number; skip: readonly string[] }, signal: AbortSignal): Promise<CheckResult | null>;
}

export interface CheckEvents {
  step: string;
}

export function openCheck({ folder }: CheckSetup, { emit }: Inside<CheckEvents>): Opened<CheckService> {
  return {
    service: {
      check: async ({ at, skip }, signal) => {
        const queries = openQueries(folder);
        try {
          return await queries.health.check(at, { skip, signal, onStep: (name) => emit('step', name) });
        } finally {
          queries.close();
        }
      },
    },
    close: () => undefined,
  };
}

/** Takes seconds for a large mirror, so it needs a thread. */
export async function checkInThread(
  module: URL,
  { folder, at }: { folder: string; at: number },
  { skip = [], onStep, signal }: CheckOptions,
  log: Log,
): Promise<CheckResult | null> {
  const { call, stop } = connect<CheckService, CheckEvents>(module, {
    setup: { role: 'check', folder } satisfies CheckSetup,
    stopLimit: 0,
    log,
    on: { step: (name) => onStep?.(name) },
    onEnd: (thrown) =>
      thrown instanceof Error ? thrown : new BroadsheetError('closed', 'The thread of the check stopped.'),
  });
  try {
    return await call('check', { at, skip }, signal);
  } finally {
    await stop();
  }
}
