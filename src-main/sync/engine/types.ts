import type { HttpClientOptions } from '../../clients/http/client.ts';
import type { Api } from '../../contract/api.ts';
import type { Emit } from '../../contract/events.ts';
import type { Bodies, EngineMethod } from '../../contract/methods.ts';
import type { NewsSource, StorageWarning } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { EngineGateway, GatewayTrial } from './gateway-source.ts';

/** What answers each method of the engine. A group of them is `satisfies Partial<EngineBodies>`. */
export type EngineBodies = Bodies<EngineMethod>;

/** What can be sent to another thread: the engine is the same there. */
export interface EngineSetup {
  dataFolder: string;
  source: NewsSource;
  gateway: EngineGateway | null;
  version: string;
  settings: EngineSettings;
  /** What was found wrong before the store was opened. */
  storageWarnings?: readonly StorageWarning[];
  /** In ms; what is left out is the HTTP client's default. */
  timeouts?: HttpClientOptions['timeouts'];
}

export interface EnginePorts {
  clock: Clock;
  log: Log;
  emit: Emit;
  /** The IANA name of the reader's time zone; the machine's where it is not said. */
  zone?: () => string;
}

/** Owns the writing side: fetches, stores, marks, and tells what changed. One at a time for a data folder. */
export interface Engine {
  /** Errors: `closed` once it is closing. */
  call<M extends EngineMethod>(method: M, args: Api[M]['args']): Promise<Api[M]['result']>;
  /** Begins to poll. */
  start(): Promise<void>;
  /** Which gateway to ask from here on, and with which key; null for none. */
  useGateway(gateway: EngineGateway | null): Promise<void>;
  /** What the reader wants of it from here on. */
  useSettings(settings: EngineSettings): Promise<void>;
  /** Asks a gateway for one model, to learn what it says to a key. Nothing is stored. */
  tryGateway(gateway: EngineGateway): Promise<GatewayTrial>;
  /** Ends requests and timers, finishes what is being written, closes the files. */
  close(): Promise<void>;
}
