import type { Capabilities, NewsSource, Settings } from './model.ts';

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
  get(): Settings;
  set(settings: Settings): void;
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
  openExternal(url: string): Promise<void>;
  /** Set where `capabilities.pdf` is. Errors: `disk_full`, `data_read_only`. */
  savePdf?(name: string): Promise<{ saved: boolean }>;
}
