import type { Bodies, MethodName } from '../contract/methods.ts';
import type { Gateway, KeyTrial } from '../contract/model/gateway.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { Settings } from '../contract/settings.ts';
import type { Target } from '../contract/targets.ts';
import type { Backup, ImportResult, Problem } from '../contract/user-data.ts';
import type { Ports } from '../contract/ports.ts';
import type { LongRead } from './long-reads.ts';
import type { Queries } from '../store/index.ts';
import type { Engine } from '../sync/engine/types.ts';

/** Dependencies of the handlers. Read `queries`, `longRead` and `engine` on each call: they change with the news service. */
export interface Session {
  readonly ports: Ports;
  readonly queries: Queries;
  /** Reads that could hold up this thread, if possible in another one. */
  readonly longRead: LongRead;
  readonly engine: Engine;
  readonly source: NewsSource;
  /** The model gateway and its key. */
  readonly gateway: {
    readonly gateway: Gateway;
    setKey(key: string): Promise<KeyTrial>;
    allowKey(): Promise<KeyTrial>;
    removeKey(): Promise<Gateway>;
  };
  /** The view that the page should show; null once the page has read it. */
  takeTarget(): Target | null;
  /** Where the reader was, for the next start. */
  readonly lastPlace: { get(): Promise<string | null>; save(text: string): Promise<void> };
  /** Unexpected errors of this run. */
  readonly problems: {
    report(where: Problem['where'], message: string, trace: string): void;
    list(): Problem[];
    dismiss(): void;
  };
  /** Export, import, backup and restore of the user's data. */
  readonly data: {
    export(): Promise<{ name: string; text: string }>;
    import(text: string): Promise<ImportResult>;
    backups(): Backup[];
    backUp(): Promise<Backup[]>;
    restore(name: string): Promise<void>;
    rebuildMirror(): Promise<void>;
  };
  /** Applies and saves validated settings: switches services if they changed, and sends the events. */
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
}

/** An implementation of each method of the contract. Each group is `satisfies Partial<Handlers>`. */
export type Handlers = Bodies<MethodName>;
