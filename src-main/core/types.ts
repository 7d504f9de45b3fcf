import type { Gateway, KeyTrial } from '../contract/model/gateway.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { Ports } from '../contract/ports.ts';
import type { Settings } from '../contract/settings.ts';
import type { Target } from '../contract/targets.ts';
import type { ImportResult, Problem } from '../contract/user-data.ts';
import type { Wire } from '../contract/wire.ts';
import type { Queries } from '../store/index.ts';
import type { Engine } from '../sync/engine/types.ts';
import type { RunRead } from './reads.ts';

/** All of Broadsheet except the host. */
export interface Core {
  wire: Wire;
  /** Shows a view in the page: for a deep link, a notification or the tray. */
  goTo(target: Target): void;
  /** Reports an unexpected error in the host. */
  reportProblem(error: unknown): void;
  /** Starts polling. */
  start(): void;
  /** Cancels requests, completes pending writes and closes the files. Later calls fail with `closed`. */
  close(): Promise<void>;
}

/** Dependencies of methods. Read `queries`, `longRead` and `engine` on each call: they change with the news service. */
export interface Session {
  readonly ports: Ports;
  readonly queries: Queries;
  /** Reads that could hold up this thread, if possible in another one. */
  readonly longRead: RunRead;
  readonly engine: Engine;
  readonly source: NewsSource;
  /** The model gateway and its key. */
  readonly gateway: {
    readonly gateway: Gateway;
    /** Name under which the gateway's model lists are saved; '' without a gateway, which has no rows. */
    readonly owner: string;
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
  /** Changes of the user's data as a whole. */
  readonly data: {
    import(text: string): Promise<ImportResult>;
    restore(name: string): Promise<void>;
    rebuildMirror(): Promise<void>;
  };
  /** Applies and saves validated settings: switches services if they changed, and sends the events. */
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
}
