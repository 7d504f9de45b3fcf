import type { GatewaySource, KeyState } from './model/gateway.ts';
import type { Capabilities } from './model/capabilities.ts';
import type { NewsSource, StorageWarning } from './model/sync-status.ts';
import type { Settings } from './settings.ts';
import type { WindowTarget } from './targets.ts';

/** Time as the core sees it: milliseconds since 1970, and timers that a test can drive. */
export interface Clock {
  now(): number;
  /** Calls back once, after `ms`. Returns what cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line a call. Fields hold no secrets: no key, no Authorization header, no query text. */
export interface Log {
  (level: LogLevel, message: string, fields?: Record<string, string | number | boolean | null>): void;
}

/** Where settings are kept. A host decides the file; the core checks what goes in. */
export interface SettingsStore {
  /** What was found wrong with the file at the start. */
  readonly storageWarnings?: readonly StorageWarning[];
  get(): Settings;
  /** Errors: `disk_full`, `data_read_only`, `data_newer`; then everything stays as it was. */
  set(settings: Settings): void;
}

/** A key, and the origin that it was given for. */
export interface Credential {
  key: string;
  origin: string;
}

/**
 * Where the key is kept: the one place. `keeping` is that of a key that would be kept now. Errors of `keep` and `forget`:
 * `disk_full`, `data_read_only`; what was kept before is kept then.
 */
export interface KeyStore extends Pick<KeyState, 'keeping' | 'keepingReason'> {
  /** Set where the key is still being read: a keychain may ask its user first. Until then `get` gives none. Never rejects. */
  readonly ready?: Promise<void>;
  /** `from` tells where it came from. Null without one, also where it can no longer be read. */
  get(): { credential: Credential; from: 'keychain' | 'thisRun' | 'environment' } | null;
  keep(credential: Credential): Promise<void>;
  forget(): void;
}

/** What only a desktop can do: each member where the capability for it is. */
export interface Desktop {
  openWindow?(target: WindowTarget): Promise<void>;
  showFolder?(folder: string): Promise<void>;
  /** Null where the reader wants none after all. What is chosen holds from the next start on. */
  chooseFolder?(): Promise<string | null>;
  /** What fetches and stores has stopped for good in this run: whether to start the app anew. */
  offerRestart?(): void;
  /** The newest version, or null where this is it. */
  checkForUpdates?(): Promise<string | null>;
}

/** What a host gives the core. Everything else the core does itself. */
export interface Ports {
  /** The data folder, or `:memory:`. */
  dataFolder: string;
  /** Set where the engine runs in a thread of its own: the address of its module. Absent: in this thread. */
  engineModule?: URL;
  clock: Clock;
  log: Log;
  settings: SettingsStore;
  capabilities: Capabilities;
  /** Which service to mirror under these settings; starts the demo service when it is that one. */
  source(settings: Settings): Promise<NewsSource>;
  /** Which gateway lists models beside this source of news; null for none. */
  gateway(settings: Settings, news: NewsSource): GatewaySource | null;
  keys: KeyStore;
  openExternal(url: string): Promise<void>;
  desktop?: Desktop;
  /** Set where `capabilities.pdf` is. Errors: `disk_full`, `data_read_only`. */
  savePdf?(name: string): Promise<{ saved: boolean }>;
}
