import type { Gateway, KeyTrial } from '../contract/model/model.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { Ports } from '../contract/ports.ts';
import type { Settings } from '../contract/settings.ts';
import type { Target } from '../contract/refs.ts';
import type { Wire } from '../contract/wire.ts';
import type { FolderLock, Queries, Restored } from '../store/index.ts';
import type { EngineService } from '../sync/engine/engine.ts';
import type { LastPlace } from './files/last-place.ts';
import type { Problems } from './log.ts';
import type { RunRead } from './reads.ts';
import type { Thread } from './threads.ts';

export type Engine = Pick<Thread<EngineService>, 'call'>;

export interface Core {
  wire: Wire;
  goTo(target: Target): void;
  reportProblem(error: unknown): void;
  start(): void;
  /** Completes pending writes. Later calls fail with `closed`. */
  close(): Promise<void>;
}

/** Read `queries`, `longRead` and `engine` on each call: they change with the news service. */
export interface Session {
  readonly ports: Ports;
  readonly queries: Queries;
  readonly longRead: RunRead;
  readonly engine: Engine;
  readonly source: NewsSource;
  readonly gateway: {
    readonly gateway: Gateway;
    /** The gateway's name in the store; '' without one. */
    readonly owner: string;
    setKey(key: string): Promise<KeyTrial>;
    allowKey(): Promise<KeyTrial>;
    removeKey(): Promise<Gateway>;
  };
  goTo(target: Target): void;
  takeTarget(): Target | null;
  readonly lastPlace: Pick<LastPlace, 'get' | 'save'>;
  readonly problems: Problems;
  /** Expects validated settings. Switches services if they changed, and sends the events. */
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
  /** Runs `work` while the files are closed, in the locked folder. Errors: `not_supported` for data in memory. */
  withFilesClosed(work: FileWork): Promise<void>;
}

/** If the files don't open after it, the result undoes it. */
export type FileWork = (lock: FolderLock) => Restored | null;
