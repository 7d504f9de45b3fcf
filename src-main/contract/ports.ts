import type { GatewaySource, KeyState } from './model/gateway.ts';
import type { MarksKey } from './model/marks-folder.ts';
import type { Capabilities } from './model/capabilities.ts';
import type { NotificationTrial } from './model/notification.ts';
import type { NewsSource, StorageWarning } from './model/sync-status.ts';
import type { Settings } from './settings.ts';
import type { WindowTarget } from './targets.ts';

/** The core's source of time: milliseconds since 1970, and timers that tests can drive. */
export interface Clock {
  now(): number;
  /** Calls back once, after `ms`. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes one line. Fields must not contain secrets: no key, no Authorization header, no query text. */
export interface Log {
  (level: LogLevel, message: string, fields?: Record<string, string | number | boolean | null>): void;
}

/** Storage of the settings. The host chooses the file; the core validates the values. */
export interface SettingsStore {
  /** Problems found in the file at the start. */
  readonly storageWarnings?: readonly StorageWarning[];
  get(): Settings;
  /** Errors: `disk_full`, `data_read_only`, `data_newer`. Settings are then unchanged. */
  set(settings: Settings): void;
}

/** A key and the origin it was entered for. */
export interface Credential {
  key: string;
  origin: string;
}

/**
 * Storage of the key. `keeping` says where a key would be saved now. Errors of `save` and `forget`: `disk_full`,
 * `data_read_only`; the previous key then stays.
 */
export interface KeyStore extends Pick<KeyState, 'keeping' | 'keepingReason'> {
  /**
   * Set while the key is still being read, because a keychain may prompt the user first. Until then `get` returns null.
   * Never rejects.
   */
  readonly ready?: Promise<void>;
  /** The key and where it comes from. Null without a key, or if it can no longer be read. */
  get(): { credential: Credential; from: 'keychain' | 'file' | 'thisRun' | 'environment' } | null;
  save(credential: Credential): Promise<void>;
  forget(): void;
}

/** Storage of the keys of the folder of marks. Errors of `save`: `disk_full`, `data_read_only`; the previous keys then stay. */
export interface MarksKeyStore {
  /** Like {@link KeyStore.ready}. */
  readonly ready?: Promise<void>;
  get(): readonly MarksKey[];
  /** None: they are removed. */
  save(keys: readonly MarksKey[]): Promise<void>;
}

/** What only a desktop can do. Members exist if the matching capability does. */
export interface Desktop {
  /** The calling page shows its first content. */
  painted?(): void;
  openWindow?(target: WindowTarget): Promise<void>;
  showFolder?(folder: string): Promise<void>;
  /** Null if the user cancels. The chosen folder is used from the next start. */
  chooseFolder?(): Promise<string | null>;
  /** Asks for the folder through which machines share marks. Null if the user cancels; nothing is changed. */
  chooseSyncedFolder?(): Promise<string | null>;
  /** The engine stopped twice in a short time, or the files can't be opened: offer to restart the app. */
  offerRestart?(): void;
  /** Shows a test notification, and waits for the system's word for at most ten seconds. */
  testNotification?(): Promise<NotificationTrial>;
  /** The newest version; null if this is the newest. */
  checkForUpdates?(): Promise<string | null>;
}

/** What a host provides to the core. */
export interface Ports {
  /** The data folder, or `:memory:`. */
  dataFolder: string;
  /** Address of the engine's module, to run it in its own thread. If absent, the engine runs in this thread. */
  engineModule?: URL;
  clock: Clock;
  log: Log;
  settings: SettingsStore;
  capabilities: Capabilities;
  /** The news service for these settings. Starts the demo service if it is needed. */
  source(settings: Settings): Promise<NewsSource>;
  /** The model gateway to use with this news source; null for none. */
  gateway(settings: Settings, news: NewsSource): GatewaySource | null;
  /**
   * For a host with a page: the service that was used before stays in use until a new address has answered once
   * (docs/decisions/046). Default: false.
   */
  keepsService?: boolean;
  keys: KeyStore;
  /** Default: they are held by the engine, for this run. */
  marksKeys?: MarksKeyStore;
  openExternal(url: string): Promise<void>;
  /**
   * The data files could not be opened again after they were closed for a moment. The core goes on trying; a host that
   * is of no use without them ends.
   */
  gaveUp?(error: unknown): void;
  desktop?: Desktop;
  /** The program and first argument that start the command line of this installation; absent if it has none. */
  commandLine?: readonly [program: string, script: string];
  /** Present if `capabilities.pdf` is true. Errors: `disk_full`, `data_read_only`. */
  savePdf?(name: string): Promise<{ saved: boolean }>;
}
