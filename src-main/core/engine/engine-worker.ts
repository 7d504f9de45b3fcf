import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { toFailure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import type { SyncEngine } from '../../sync/engine/engine.ts';
import { isEngineControl, type EngineSetup } from '../../sync/engine/types.ts';
import type { EngineMessage, EngineRequest } from './engine-thread.ts';
import { logDefects } from './defects.ts';
import { systemClock } from '../system-clock.ts';
import { checkInThread, type CheckSetup } from './check-thread.ts';
import type { ReadSetup } from './read-thread.ts';
import { startSearchThread, type SearchSetup } from './search-thread.ts';
import { loadSqliteInThread } from './store-thread.ts';

/** What this module is started for: the engine, or a thread beside it. */
export type WorkerSetup = (EngineSetup & { role?: undefined }) | SearchSetup | CheckSetup | ReadSetup;

/** The engine's thread: opens the store, then handles {@link EngineRequest}s until it is closed. */
async function serve(port: NonNullable<typeof parentPort>, setup: EngineSetup): Promise<void> {
  const say = (message: EngineMessage): void => {
    port.postMessage(message);
  };
  const log: Log = (...line) => {
    say({ kind: 'log', line });
  };
  logDefects(log);
  const engine = await open(setup, say, log);
  if (!engine) return;
  port.on('message', (request: EngineRequest) => {
    answer(engine, request).then(
      (value) => {
        say({ kind: 'answer', id: request.id, value });
      },
      (error: unknown) => {
        say({ kind: 'failure', id: request.id, error: toFailure(error) });
      },
    );
  });
  say({ kind: 'opened' });
}

async function open(setup: EngineSetup, say: (message: EngineMessage) => void, log: Log): Promise<SyncEngine | null> {
  try {
    const { SyncEngine } = await import('../../sync/engine/engine.ts');
    return new SyncEngine(setup, {
      clock: systemClock,
      log,
      emit: (event, payload) => {
        say({ kind: 'event', event, payload });
      },
      startSearchThread: () => startSearchThread(new URL(import.meta.url), setup.dataFolder, log),
      checkFiles: (folder, at, options) => checkInThread(new URL(import.meta.url), { folder, at }, options),
      onSettings: (arrived) => {
        say({ kind: 'settings', arrived });
      },
      onDamage: () => {
        say({ kind: 'damaged' });
      },
    });
  } catch (error) {
    say({ kind: 'refused', error: toFailure(error) });
    return null;
  }
}

async function answer(engine: SyncEngine, { method, args }: EngineRequest): Promise<unknown> {
  if (method === 'close') return engine.close();
  if (isEngineControl(method)) return engine[method](args as never);
  return engine.call(method, args as never);
}

/**
 * Entry point of all threads. One module, so that a host names and packages only one; each thread loads only what its
 * role needs.
 */
async function start(port: NonNullable<typeof parentPort>, setup: WorkerSetup): Promise<void> {
  if (setup.role === 'search' || setup.role === 'check') giveWay();
  if (setup.role === 'search') (await import('./search-worker.ts')).serveSearch(port, setup);
  else if (setup.role === 'check') await (await import('./check-worker.ts')).serveCheck(port, setup);
  else if (setup.role === 'reads') (await import('./read-worker.ts')).serveReads(port, setup);
  else await serve(port, setup);
}

/** Lowers the priority of this thread below that of the others. Only Linux has a priority for each thread. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    // An ordinary user may not raise a priority, and the whole process may have been started with a lower one.
    const { PRIORITY_BELOW_NORMAL } = constants.priority;
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  } catch {
    // A container may refuse both calls. The thread then works at the priority of the others.
  }
}

if (parentPort) {
  loadSqliteInThread();
  await start(parentPort, workerData as WorkerSetup);
}
