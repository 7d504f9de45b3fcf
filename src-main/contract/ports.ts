import type { GatewaySource, KeyState } from './model/model.ts';
import type { FolderKey } from './model/devices.ts';
import type { Capabilities } from './model/capabilities.ts';
import type { NotificationTrial } from './model/notification.ts';
import type { NewsSource, StorageWarning } from './model/sync-status.ts';
import type { Settings } from './settings.ts';
import type { WindowTarget } from './refs.ts';

/** ms since 1970, and timers that tests can drive. */
export interface Clock {
  now(): number;
  after(ms: number, callback: () => void): () => void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Fields must not contain secrets: no key, no Authorization header, no query text. */
export interface Log {
  (level: LogLevel, message: string, fields?: Record<string, string | number | boolean | null>): void;
}

export interface SettingsStore {
  readonly storageWarnings?: readonly StorageWarning[];
  get(): Settings;
  /** Errors: `disk_full`, `data_read_only`, `data_newer`; nothing is changed then. */
  set(settings: Settings): void;
}

/** Must only be sent to the origin that it was entered for. */
export interface Credential {
  key: string;
  origin: string;
}

/** Errors of `save` and `forget`: `disk_full`, `data_read_only`; the previous key then stays. */
export interface KeyStore extends Pick<KeyState, 'keeping' | 'keepingReason'> {
  /** Until then, `get` returns null: a keychain may prompt the user. Never rejects. */
  readonly ready?: Promise<void>;
  get(): { credential: Credential; from: 'keychain' | 'file' | 'thisRun' | 'environment' } | null;
  save(credential: Credential): Promise<void>;
  forget(): void;
}

/** Errors of `save`: `disk_full`, `data_read_only`; the previous keys then stay. */
export interface FolderKeyStore {
  readonly ready?: Promise<void>;
  get(): readonly FolderKey[];
  save(keys: readonly FolderKey[]): Promise<void>;
}

export interface Desktop {
  painted?(): void;
  openWindow?(target: WindowTarget): Promise<void>;
  show?(): void;
  showFolder?(folder: string): Promise<void>;
  chooseFolder?(): Promise<string | null>;
  chooseSyncedFolder?(): Promise<string | null>;
  offerRestart?(): void;
  testNotification?(): Promise<NotificationTrial>;
  checkForUpdates?(): Promise<string | null>;
}

export interface Ports {
  dataFolder: string;
  /** Without one, the engine runs in this thread. */
  engineModule?: URL;
  clock: Clock;
  log: Log;
  settings: SettingsStore;
  capabilities: Capabilities;
  source(settings: Settings): Promise<NewsSource>;
  gateway(settings: Settings, news: NewsSource): GatewaySource | null;
  /** For a host with a page: a new address is used once it has answered (docs/decisions/046). */
  keepsService?: boolean;
  keys: KeyStore;
  folderKeys?: FolderKeyStore;
  /** Without polling, news is only found if this is set, for a hook; notifications of it follow where polling runs. */
  findsNews?: boolean;
  openExternal(url: string): Promise<void>;
  /** Called while the core keeps trying to open the files, so that a host that is useless without them can end. */
  gaveUp?(error: unknown): void;
  desktop?: Desktop;
  commandLine?: readonly [program: string, script: string];
  /** Errors: `disk_full`, `data_read_only`. */
  savePdf?(name: string): Promise<{ saved: boolean }>;
}
