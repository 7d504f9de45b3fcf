import { BroadsheetError } from '../../contract/errors.ts';
import type { ArrivedSettings } from '../../contract/settings.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Ports } from '../../contract/ports.ts';
import { openQueries, type OpenQueries, type Queries } from '../../store/index.ts';
import type { Emit } from '../../contract/events.ts';
import type { SyncEngine } from '../../sync/engine/engine.ts';
import type { Engine, EnginePorts, EngineSetup } from '../../sync/engine/types.ts';
import type { EngineSettings } from '../../sync/engine/engine-settings.ts';
import type { EngineGateway } from '../../sync/engine/gateway-source.ts';
import { startEngineThread } from './engine-thread.ts';
import { readHere, type RunRead } from '../reads.ts';
import { createReadThread } from './read-thread.ts';

/** The open files of one news service: the engine, which writes, and a separate connection for reading. */
export interface Mirror {
  source: NewsSource;
  engine: Engine;
  queries: Queries;
  longRead: RunRead;
  close(): Promise<void>;
}

/** Which services to mirror, and how. */
interface MirrorPlan {
  source: NewsSource;
  gateway: EngineGateway | null;
  settings: EngineSettings;
}

interface MirrorCallbacks {
  emit: Emit;
  /** The engine's thread stopped by itself: this mirror can only be read now. */
  onDeath: (error: unknown) => void;
  /** Damage was found: opening the files again repairs it. */
  onDamage: () => void;
  /** Other machines changed settings that are shared. */
  onSettings: (arrived: ArrivedSettings) => void;
  /** Stops opening. */
  stop: AbortSignal;
}

/**
 * Opens the mirror of `source` in a locked folder, with the engine in its own thread if the ports specify one. Errors:
 * the store's.
 */
export async function openMirror(
  ports: Ports,
  plan: MirrorPlan,
  { emit, onDeath, onDamage, onSettings, stop }: MirrorCallbacks,
): Promise<Mirror> {
  const { dataFolder, capabilities, engineModule, clock, log } = ports;
  const { source } = plan;
  const storageWarnings = ports.settings.storageWarnings ?? [];
  const marksKeys = ports.marksKeys?.get() ?? [];
  const setup = { dataFolder, ...plan, version: capabilities.version, locked: true, storageWarnings, marksKeys };
  if (dataFolder === ':memory:') {
    // The engine's connection is the only one, so reads end with it.
    const engine = await createEngine(setup, { clock, log, emit, onSettings });
    const { queries } = engine.store;
    return { source, engine, queries, longRead: readHere(queries), close: () => engine.close() };
  }
  const engine = await withoutCorruption(async (): Promise<Engine> =>
    engineModule
      ? await startEngineThread(engineModule, setup, { log, emit, onDeath, onDamage, onSettings }, stop)
      : await createEngine(setup, { clock, log, emit, onDamage, onSettings }),
  );
  try {
    return withQueries(ports, source, engine, openQueries(dataFolder));
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Its modules are loaded only where no other thread runs it: they take as long as all others of this thread. */
async function createEngine(setup: EngineSetup, ports: EnginePorts): Promise<SyncEngine> {
  const { SyncEngine } = await import('../../sync/engine/engine.ts');
  return new SyncEngine(setup, ports);
}

/** Corruption found while opening is recorded beside the file; the second opening sets the file aside. */
async function withoutCorruption<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof BroadsheetError) || error.code !== 'data_unreadable') throw error;
    return open();
  }
}

function withQueries(ports: Ports, source: NewsSource, engine: Engine, queries: OpenQueries): Mirror {
  const { engineModule, dataFolder, log } = ports;
  const here = readHere(queries);
  const thread = engineModule ? createReadThread(engineModule, dataFolder, { here, log }) : null;
  const close = async (): Promise<void> => {
    // The reading connections first: closing the last writing connection then cleans up the files.
    await thread?.stop();
    queries.close();
    await engine.close();
  };
  return { source, engine, queries, longRead: thread?.read ?? here, close };
}
