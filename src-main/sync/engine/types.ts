import type { HttpClientOptions } from '../../clients/http/client.ts';
import type { Args, Bodies, MethodsOf, Result } from '../../contract/methods.ts';
import type { ArrivedSettings } from '../../contract/settings.ts';
import type { Emit } from '../../contract/events.ts';
import type { MarksFolder, MarksKey } from '../../contract/model/marks-folder.ts';
import type { NewsSource, StorageWarning } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { CheckOptions, Integrity } from '../../store/index.ts';
import type { SearchThread } from './indexing.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { EngineGateway, GatewayTrial } from './gateway-source.ts';
import type { MarksChoice } from '../marks/marks-sharing.ts';

/** Methods that the engine implements: also those to which a body in the core adds what only it has. */
export type EngineMethod =
  MethodsOf<'engine'> | 'health.get' | 'health.check' | 'data.import' | 'data.backUp' | 'marksFolder.off';

/** Implementations of the engine's methods. Each group is `satisfies Partial<EngineBodies>`. */
export type EngineBodies = Bodies<EngineMethod>;

/** Serializable options: the same for an engine in its own thread. */
export interface EngineSetup {
  dataFolder: string;
  source: NewsSource;
  gateway: EngineGateway | null;
  version: string;
  settings: EngineSettings;
  /** The keys of the folder of marks that were saved. */
  marksKeys?: readonly MarksKey[];
  /** The caller holds the lock of the data folder. */
  locked?: boolean;
  /** Problems found before the store was opened. */
  storageWarnings?: readonly StorageWarning[];
  /** In ms; missing values are the HTTP client's defaults. */
  timeouts?: HttpClientOptions['timeouts'];
}

/** Checks the databases of a folder at a time in ms since 1970: see `HealthQueries.check`. */
export type CheckFiles = (folder: string, at: number, options: CheckOptions) => Promise<Integrity | null>;

export interface EnginePorts {
  clock: Clock;
  log: Log;
  emit: Emit;
  /** Checks the databases of a folder outside this thread. Default: the engine checks them in its own. */
  checkFiles?: CheckFiles;
  /** Damage was found, and is repaired when the files are opened again. */
  onDamage?: () => void;
  /** Other machines changed settings that are shared: the core takes them. */
  onSettings?: (arrived: ArrivedSettings) => void;
  /** IANA name of the user's time zone. Default: the system's. */
  zone?: () => string;
  /** Starts a thread that updates the search index of the data folder. Default: the engine does it itself. */
  startSearchThread?: () => SearchThread;
}

/** The writing part of Broadsheet: fetches, saves, sets statuses and sends events. Only one may run per data folder. */
export interface Engine {
  /** Errors: `closed` while closing, and those of the method. */
  call<M extends EngineMethod>(method: M, args: Args<M>): Promise<Result<M>>;
  /** Starts polling. */
  start(): Promise<void>;
  /** Sets the gateway and its key; null for none. */
  useGateway(gateway: EngineGateway | null): Promise<void>;
  /** Applies changed settings. */
  useSettings(settings: EngineSettings): Promise<void>;
  /** Tests a key by requesting one model from the gateway. Nothing is saved. */
  tryGateway(gateway: EngineGateway): Promise<GatewayTrial>;
  /**
   * Shares marks through a folder. Returns the keys that are to be saved, too: they leave the engine in no other way.
   * Errors: those of `marksFolder.set`.
   */
  shareMarks(choice: MarksChoice): Promise<{ status: MarksFolder; keys: readonly MarksKey[] }>;
  /**
   * Downloads the news again, beside the mirror in use, which it replaces when the files are opened again. Returns the name
   * of its build. If it fails, nothing has changed. Errors: those of the service and of the store.
   */
  rebuild(): Promise<string>;
  /** The saved keys of the folder of marks could be read only now. */
  useMarksKeys(keys: readonly MarksKey[]): Promise<void>;
  /** Cancels requests and timers, completes pending writes and closes the files. */
  close(): Promise<void>;
}

/** Calls that control the engine. They are not in the contract, which keys and the engine's settings must not cross. */
const ENGINE_CONTROLS = [
  'start',
  'useGateway',
  'useSettings',
  'tryGateway',
  'shareMarks',
  'useMarksKeys',
  'rebuild',
] as const satisfies readonly Exclude<keyof Engine, 'call' | 'close'>[];

export type EngineControl = (typeof ENGINE_CONTROLS)[number];

export function isEngineControl(name: string): name is EngineControl {
  return ENGINE_CONTROLS.some((one) => one === name);
}

/** The controls of an engine that is not in this thread, or that there is not. */
export function controlsBy(
  call: (name: EngineControl, argument: unknown) => Promise<never>,
): Pick<Engine, EngineControl> {
  const controls = ENGINE_CONTROLS.map((name) => [name, (argument: unknown) => call(name, argument)]);
  return Object.fromEntries(controls) as Pick<Engine, EngineControl>;
}
