import { BroadsheetError, fromFailure, toFailure, type Failure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import { isPreparation, type ReadContext, type ReadMethod, type RunRead } from '../reads.ts';
import { StoreThread } from './store-thread.ts';

/** What the worker's module needs to answer long reads instead of running an engine. */
export interface ReadSetup {
  role: 'reads';
  folder: string;
}

/** A read for the thread; null to stop. */
export type ReadRequest = { id: number; method: ReadMethod; args: unknown; context: ReadContext } | null;

/** A message from the thread: its connection is open, the answer to a read, or a line for the log. */
export type ReadMessage =
  | { kind: 'log'; line: Parameters<Log> }
  | { kind: 'ready' }
  | { kind: 'value'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: Failure };

/** How long the thread may take to finish a read and close its connection, in ms. Then it is terminated. */
const STOP_LIMIT = 250;

function closing(): BroadsheetError {
  return new BroadsheetError('closed', 'Broadsheet is closing.', { retryable: true });
}

/** Long reads in a thread of their own. */
export interface ReadThread {
  read: RunRead;
  /** Resolves when its connection is closed. */
  stop(): Promise<void>;
}

interface Call {
  /** Runs the read in this thread: the other one has stopped. */
  readHere: () => void;
  settle: (message: Exclude<ReadMessage, { kind: 'ready' | 'log' }>) => void;
}

/**
 * Long reads in a thread that starts with the first of them. Until it is ready, and after it has stopped by itself, they
 * run on `here`, except what only prepares the thread. `module` is the worker's module.
 */
export function createReadThread(module: URL, folder: string, { here, log }: { here: RunRead; log: Log }): ReadThread {
  const calls = new Map<number, Call>();
  const exited = Promise.withResolvers<null>();
  let worker: StoreThread | null = null;
  let phase: 'starting' | 'ready' | 'ended' = 'starting';
  let isStopping = false;
  let lastId = 0;

  function start(): void {
    worker = new StoreThread(module, { role: 'reads', folder } satisfies ReadSetup);
    worker.unref();
    worker.on('message', (message: ReadMessage) => {
      if (message.kind === 'ready') {
        phase = 'ready';
        return;
      }
      if (message.kind === 'log') {
        log(...message.line);
        return;
      }
      calls.get(message.id)?.settle(message);
      calls.delete(message.id);
    });
    worker.on('error', (error) => {
      const trace = error instanceof Error ? (error.stack ?? '') : String(error);
      log('warn', 'The thread for long reads stopped', { trace });
    });
    worker.on('exit', () => {
      phase = 'ended';
      for (const [id, call] of calls) {
        if (isStopping) call.settle({ kind: 'failure', id, error: toFailure(closing()) });
        else call.readHere();
      }
      calls.clear();
      exited.resolve(null);
    });
  }

  const read: RunRead = (method, args, context) => {
    if (!worker && !isStopping) start();
    const takes = phase === 'ready' || (phase === 'starting' && isPreparation(method, args));
    if (!worker || !takes || isStopping) return here(method, args, context);
    const answer = Promise.withResolvers<never>();
    lastId += 1;
    calls.set(lastId, {
      readHere: () => {
        answer.resolve(here(method, args, context) as Promise<never>);
      },
      settle: (message) => {
        if (message.kind === 'value') answer.resolve(message.value as never);
        else answer.reject(fromFailure(message.error));
      },
    });
    worker.postMessage({ id: lastId, method, args, context } satisfies ReadRequest);
    return answer.promise;
  };
  return {
    read,
    stop: async () => {
      isStopping = true;
      const started = worker;
      if (!started) return;
      started.ref();
      started.postMessage(null satisfies ReadRequest);
      const timer = setTimeout(() => void started.terminate(), STOP_LIMIT);
      await exited.promise;
      clearTimeout(timer);
    },
  };
}
