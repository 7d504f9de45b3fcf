import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { loadSqlite } from '../../store/index.ts';
import type { EngineService } from '../../sync/engine/engine.ts';
import type { EngineSetup } from '../../sync/engine/types.ts';
import { systemClock } from '../system-clock.ts';
import { serve } from '../threads.ts';
import type { EngineEvents } from './mirror.ts';
import type { ReaderService, ReaderSetup } from './reader.ts';
import {
  checkInThread,
  openCheck,
  openIndexer,
  startIndexer,
  type CheckEvents,
  type CheckService,
  type CheckSetup,
  type IndexerSetup,
} from './store-threads.ts';

const MODULE = new URL(import.meta.url);

type WorkerSetup = (EngineSetup & { role?: undefined }) | IndexerSetup | CheckSetup | ReaderSetup;

/** Runs every thread, so that a host packages only one module; each loads only what its role needs. */
function start(setup: WorkerSetup): Promise<void> {
  if (setup.role === 'indexer') {
    giveWay();
    return serve(loadSqlite, () => openIndexer(setup));
  }
  if (setup.role === 'check') {
    giveWay();
    return serve<CheckService, CheckEvents>(loadSqlite, (inside) => openCheck(setup, inside));
  }
  if (setup.role === 'reader') {
    return serve<ReaderService>(loadSqlite, async () => (await import('./reader.ts')).openReader(setup));
  }
  return serve<EngineService, EngineEvents>(loadSqlite, async ({ log, emit }) => {
    const { openEngine } = await import('../../sync/engine/engine.ts');
    return openEngine(setup, {
      clock: systemClock,
      log,
      emit: (event, payload) => emit('event', { event, payload }),
      startIndexer: () => startIndexer(MODULE, setup.dataFolder, log),
      checkFiles: (folder, at, options) => checkInThread(MODULE, { folder, at }, options, log),
      onSettings: (arrived) => emit('settings', arrived),
      onDamage: () => emit('damaged', null),
    });
  });
}

/** Only Linux has priorities for threads. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    // Ordinary users can't raise a priority again, and the process may have been started with a lower one.
    const { PRIORITY_BELOW_NORMAL } = constants.priority;
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  } catch {
    // Containers may refuse both calls; the priority then stays.
  }
}

if (parentPort) await start(workerData as WorkerSetup);
