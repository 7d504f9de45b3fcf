import { parentPort, workerData } from 'node:worker_threads';
import { toFailure } from '../../contract/errors.ts';
import { SyncEngine } from '../../sync/engine/engine.ts';
import type { EngineSetup } from '../../sync/engine/types.ts';
import type { EngineSettings } from '../../sync/engine/engine-settings.ts';
import type { EngineGateway } from '../../sync/engine/gateway-source.ts';
import type { EngineMessage, EngineRequest } from './engine-thread.ts';
import { systemClock } from '../system-clock.ts';
import { checkInThread, serveCheck, type CheckSetup } from './check-thread.ts';
import type { ReadSetup } from './read-thread.ts';
import { serveReads } from './read-worker.ts';
import { startSearchThread, type SearchSetup } from './search-thread.ts';
import { serveSearch } from './search-worker.ts';

/** What this module is started for: the engine, or a thread beside it. */
export type WorkerSetup = (EngineSetup & { role?: undefined }) | SearchSetup | CheckSetup | ReadSetup;

/** The engine's thread: opens the store, then handles {@link EngineRequest}s until it is closed. */
function serve(port: NonNullable<typeof parentPort>, setup: EngineSetup): void {
  const say = (message: EngineMessage): void => {
    port.postMessage(message);
  };
  const engine = open(setup, say);
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

function open(setup: EngineSetup, say: (message: EngineMessage) => void): SyncEngine | null {
  try {
    return new SyncEngine(setup, {
      clock: systemClock,
      log: (...line) => {
        say({ kind: 'log', line });
      },
      emit: (event, payload) => {
        say({ kind: 'event', event, payload });
      },
      startSearchThread: () => startSearchThread(new URL(import.meta.url), setup.dataFolder),
      checkFiles: (folder, at) => checkInThread(new URL(import.meta.url), folder, at),
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
  if (method === 'start') return engine.start();
  if (method === 'close') return engine.close();
  if (method === 'useGateway') return engine.useGateway(args as EngineGateway | null);
  if (method === 'useSettings') return engine.useSettings(args as EngineSettings);
  if (method === 'tryGateway') return engine.tryGateway(args as EngineGateway);
  return engine.call(method, args as never);
}

/** Entry point of all threads. One module, so that a host names and packages only one. */
function start(port: NonNullable<typeof parentPort>, setup: WorkerSetup): void {
  if (setup.role === 'search') serveSearch(port, setup);
  else if (setup.role === 'check') void serveCheck(port, setup);
  else if (setup.role === 'reads') serveReads(port, setup);
  else serve(port, setup);
}

if (parentPort) start(parentPort, workerData as WorkerSetup);
