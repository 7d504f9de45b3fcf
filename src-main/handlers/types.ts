import type { MethodName } from '../contract/api.ts';
import type { Bodies } from '../contract/methods.ts';
import type { Gateway, KeyTrial } from '../contract/model/gateway.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { Settings } from '../contract/settings.ts';
import type { Target } from '../contract/targets.ts';
import type { Backup, ImportResult, Problem } from '../contract/user-data.ts';
import type { Ports } from '../contract/ports.ts';
import type { Queries } from '../store/index.ts';
import type { Engine } from '../sync/engine/types.ts';

/** What a handler works with. Ask for `queries` and `engine` at each call: they change with the news service. */
export interface Session {
  readonly ports: Ports;
  readonly queries: Queries;
  readonly engine: Engine;
  readonly source: NewsSource;
  /** Where models come from, and what may be done with the key. */
  readonly gateway: {
    readonly gateway: Gateway;
    setKey(key: string): Promise<KeyTrial>;
    allowKey(): Promise<KeyTrial>;
    removeKey(): Promise<Gateway>;
  };
  /** Where the page is to go; null once it was asked for. */
  takeTarget(): Target | null;
  /** What went wrong in this run that should not have. */
  readonly problems: {
    report(where: Problem['where'], message: string, trace: string): void;
    list(): Problem[];
    dismiss(): void;
  };
  /** What is done with the reader's data as a whole, and with the files that hold it. */
  readonly data: {
    export(): Promise<{ name: string; text: string }>;
    import(text: string): Promise<ImportResult>;
    backups(): Backup[];
    backUp(): Promise<Backup[]>;
    restore(name: string): Promise<void>;
    rebuildMirror(): Promise<void>;
  };
  /** Checks nothing; goes over to another service where the settings now name one, stores them, tells everyone. */
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
}

/** A body for each method of the contract. A group of them is `satisfies Partial<Handlers>`. */
export type Handlers = Bodies<MethodName>;
