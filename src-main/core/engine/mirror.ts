import { BroadsheetError } from '../../contract/errors.ts';
import type { ArrivedSettings } from '../../contract/settings.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Log, Ports } from '../../contract/ports.ts';
import { openQueries, type Queries } from '../../store/index.ts';
import type { Emit, EventName, Events } from '../../contract/events.ts';
import { isOutOfHandles } from '../../common/system-errors.ts';
import type { EngineService, OpenEngine } from '../../sync/engine/engine.ts';
import type { EngineSetup, EngineSettings } from '../../sync/engine/types.ts';
import type { EngineGateway } from '../../sync/engine/services.ts';
import { readHere, type RunRead } from '../reads.ts';
import { connect, connectHere, traceOf, type Handlers, type Inside, type Thread } from '../threads.ts';
import { createReader } from './reader.ts';

export interface Mirror {
  source: NewsSource;
  engine: Thread<EngineService>;
  queries: Queries;
  longRead: RunRead;
  close(): Promise<void>;
}

interface MirrorPlan {
  source: NewsSource;
  gateway: EngineGateway | null;
  settings: EngineSettings;
}

interface EngineListeners {
  emit: Emit;
  /** The engine's thread ended unexpectedly: this mirror can only be read now. */
  onDeath?: (error: unknown) => void;
  onDamage?: (() => void) | undefined;
  onSettings?: (arrived: ArrivedSettings) => void;
}

export interface EngineEvents {
  event: { event: EventName; payload: Events[EventName] };
  damaged: null;
  settings: ArrivedSettings;
}

/** Needs a locked folder. `stop` ends opening. */
export async function openMirror(
  ports: Ports,
  plan: MirrorPlan,
  { stop, ...listeners }: EngineListeners & { stop: AbortSignal },
): Promise<Mirror> {
  const { dataFolder, capabilities, engineModule, log, clock } = ports;
  const { source } = plan;
  const storageWarnings = ports.settings.storageWarnings ?? [];
  const folderKeys = ports.folderKeys?.get() ?? [];
  const { findsNews = false } = ports;
  const { version } = capabilities;
  const setup = { dataFolder, ...plan, version, locked: true, findsNews, storageWarnings, folderKeys };
  if (dataFolder === ':memory:') {
    // There is only the engine's connection, so reads end with it.
    const { thread: engine, opened } = await openHere(ports, setup, { ...listeners, onDamage: undefined });
    const { queries } = opened.store;
    return { source, engine, queries, longRead: readHere(queries), close: () => engine.stop() };
  }
  const engine = await withoutCorruption(async () =>
    engineModule
      ? await startEngine(engineModule, setup, { log, ...listeners }, stop)
      : (await openHere(ports, setup, listeners)).thread,
  );
  try {
    const queries = openQueries(dataFolder);
    const here = readHere(queries);
    const reader = engineModule ? createReader(engineModule, dataFolder, { here, log, clock }) : null;
    const close = async (): Promise<void> => {
      // Readers first: closing the last writing connection then cleans up the files.
      await reader?.stop();
      queries.close();
      await engine.stop();
    };
    return { source, engine, queries, longRead: reader?.read ?? here, close };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

/** In ms. A process has to stop within two seconds. */
const ENGINE_STOP_LIMIT = 1_400;

/** Keeps fetching, parsing and writing off the event loop that serves the page. `stop` ends opening. */
export async function startEngine(
  module: URL,
  setup: EngineSetup,
  { log, onDeath, ...listeners }: EngineListeners & { log: Log },
  stop?: AbortSignal,
): Promise<Thread<EngineService>> {
  const thread = connect<EngineService, EngineEvents>(module, {
    setup,
    stopLimit: ENGINE_STOP_LIMIT,
    log,
    on: listen(listeners),
    onEnd: (thrown, byItself) => {
      // Opening reports too many open files itself.
      if (thrown !== null && !isOutOfHandles(thrown)) log('error', 'The engine stopped.', { trace: traceOf(thrown) });
      if (byItself) onDeath?.(thrown);
      const message = 'The background engine stopped. Broadsheet starts it again; try again in a moment.';
      return new BroadsheetError('closed', message, { retryable: true });
    },
    onBusy: () => log('warn', 'The engine was busy and has been terminated'),
  });
  const terminate = (): void => void thread.stop();
  stop?.addEventListener('abort', terminate);
  if (stop?.aborted) terminate();
  await thread.opened.finally(() => stop?.removeEventListener('abort', terminate));
  return thread;
}

/** Loads the engine's modules only here: they take as long as all others of this thread. */
async function openHere({ clock, log }: Ports, setup: EngineSetup, listeners: EngineListeners) {
  const { openEngine } = await import('../../sync/engine/engine.ts');
  const open = ({ emit }: Inside<EngineEvents>): OpenEngine =>
    openEngine(setup, {
      clock,
      log,
      emit: (event, payload) => emit('event', { event, payload }),
      onSettings: (arrived) => emit('settings', arrived),
      onDamage: () => emit('damaged', null),
    });
  return connectHere<EngineService, EngineEvents, OpenEngine>(open, { log, on: listen(listeners) });
}

function listen({ emit, onDamage, onSettings }: EngineListeners): Handlers<EngineEvents> {
  return {
    event: ({ event, payload }) => emit(event, payload),
    damaged: () => onDamage?.(),
    settings: (arrived) => onSettings?.(arrived),
  };
}

/** Opens again, because corruption found while opening is only recorded; the second opening sets the file aside. */
async function withoutCorruption<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof BroadsheetError) || error.code !== 'data_unreadable') throw error;
    return open();
  }
}
