import Connection, { type Database } from 'better-sqlite3';
import { basename } from 'node:path';
import type { StorageWarning } from '../contract/model/sync-status.ts';
import { backUpDaily, makeBackup, type DailyBackup, standingWarnings } from './database/backups.ts';
import type { WritingConnection } from './database/connection.ts';
import { noteDamage } from './database/corruption.ts';
import { dismissLoss, idOf } from './database/set-aside.ts';
import { ErrorBoundary } from './database/error-boundary.ts';
import { mirrorProperties as mirror } from './database/properties.ts';
import { derive, isUpToDate } from './derived/derived.ts';
import { DERIVED, type DerivedName } from './derived/list.ts';
import { followRecords } from './effects.ts';
import { settle } from './items/touched.ts';
import type { ScheduleState } from './schedule/fetches.ts';
import { endNotes, hasNotes, remember, saveNotes, type RunRecord } from './schedule/schedule.ts';
import { createQueries, type Queries } from './queries.ts';
import { lag, merge } from './search/search-indexer.ts';
import { transaction, value } from './sql.ts';
import { saveFolds } from './stories/coverage.ts';
import { takeOver } from './take-over.ts';
import { bindTransaction, catchUp, type Transaction } from './transaction.ts';
import { beginTx, createKept, keep, type Kept, type Tx } from './tx.ts';

const LARGE_WRITE_ITEMS = 200;

const TAKEN_OVER = 'taken_over';

export interface StoreOptions {
  /** A data folder, or `:memory:`. */
  folder: string;
  source: string;
  /** ms since 1970. */
  now: () => number;
  /** The caller holds the folder's lock. */
  locked?: boolean;
}

/** An open data folder. Everything here throws the errors of `database/errors.ts`. */
export class Store {
  readonly folder: string;
  readonly queries: Queries;
  #storageWarnings: StorageWarning[];
  readonly #connection: WritingConnection;
  readonly #database: Database;
  readonly #boundary: ErrorBoundary;
  readonly #kept: Kept;
  readonly #now: () => number;
  #stampTime: () => number;
  #checkpointed = -1;

  /** Closes the connection if it throws. */
  constructor(connection: WritingConnection, { folder, now }: Pick<StoreOptions, 'folder' | 'now'>) {
    const { database, storageWarnings } = connection;
    this.folder = folder;
    this.#connection = connection;
    this.#database = database;
    this.#boundary = new ErrorBoundary(database);
    this.#now = this.#stampTime = now;
    try {
      this.#storageWarnings = [...standingWarnings(folder), ...storageWarnings];
      this.#kept = createKept(database);
      this.queries = createQueries(database, this.#boundary);
      this.#commit((tx) => {
        catchUp(tx, connection.wasLeftOpen);
      });
    } catch (error) {
      const mapped = noteDamage(error, database);
      this.close();
      throw mapped;
    }
  }

  /** Returns true until the first write of items, or until something was taken over. */
  get isNew(): boolean {
    return mirror.number(this.#database, 'sequence') === 0 && mirror.get(this.#database, TAKEN_OVER) === null;
  }

  get storageWarnings(): readonly StorageWarning[] {
    return this.#storageWarnings;
  }

  /** `id` names the file that was set aside, else the file. Returns false if there is no such warning. */
  dismissWarning(id: string): boolean {
    const isKept = this.#boundary.run(() => dismissLoss(this.folder, id));
    const rest = this.#storageWarnings.filter((warning) => idOf(warning) !== id);
    const isShown = rest.length < this.#storageWarnings.length;
    this.#storageWarnings = rest;
    return isKept || isShown;
  }

  /** The time that other devices compare, in ms since 1970. Default: the computer's. */
  stampWith(time: () => number): void {
    this.#stampTime = time;
  }

  /** Saves all writes of `work` or none. `work` must be synchronous. */
  transaction<T>(work: (tx: Transaction) => T): T {
    return this.#write((tx) => work(bindTransaction(tx)));
  }

  #write<T>(work: (tx: Tx) => T): T {
    const { result, isLarge } = this.#boundary.run(() =>
      this.#commit((tx) => {
        const result = work(tx);
        const { db, summary, sequence } = tx;
        if (tx.wrote) mirror.set(db, 'sequence', sequence);
        const isLarge = summary.added + summary.ids.length >= LARGE_WRITE_ITEMS;
        if (isLarge) this.#connection.logs.load();
        return { result, isLarge };
      }),
    );
    if (isLarge) this.#limitLogs();
    return result;
  }

  searchIndexer() {
    return this.#boundary.bind({ lag, merge });
  }

  /** Does a part of this kind of derived data. Returns the ids of items that differ for a reader; null if up to date. */
  derive(name: DerivedName): string[] | null {
    return this.#boundary.run(() => {
      if (isUpToDate(this.#database, name, DERIVED[name])) return null;
      return this.#commit((tx) => (derive<Tx>(tx, name, DERIVED[name]) ? tx.summary.ids : null));
    });
  }

  /** Copies from `file`, which this mirror replaces, what the service may no longer send. */
  takeOver(file: string): void {
    // Not attached: after the first damage, this connection could no longer write.
    const old = new Connection(file, { fileMustExist: true });
    try {
      this.#write((tx) => {
        takeOver(this.#database, old, tx);
        mirror.set(tx.db, TAKEN_OVER, basename(file));
      });
      // The file is about to be replaced with its log, so no reader may still need the log.
      old.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      old.close();
    }
  }

  backUp(): void {
    this.#boundary.run(() => {
      makeBackup(this.#database, this.folder, this.#now());
    });
  }

  backUpDaily(): DailyBackup {
    return this.#boundary.run(() => backUpDaily(this.#database, this.folder, this.#now()));
  }

  remember(run: RunRecord, state: ScheduleState): void {
    remember(this.#database, run, state);
  }

  get hasUnsavedLog(): boolean {
    return hasNotes(this.#database);
  }

  /** Saves what {@link remember} noted, which is also saved with every recorded run. */
  saveLog(): void {
    if (!this.hasUnsavedLog) return;
    this.#boundary.run(() =>
      this.#commit(({ db }) => {
        saveNotes(db);
      }),
    );
  }

  /** Empties the write-ahead logs. Call it when idle. */
  checkpoint(): void {
    const changes = value<number>(this.#database, 'SELECT total_changes()') ?? 0;
    if (changes === this.#checkpointed) return;
    try {
      if (this.#connection.logs.empty()) this.#checkpointed = changes;
    } catch (error) {
      // The logs keep safe what could not be moved, e.g. to a full disk, until the next call.
      noteDamage(error, this.#database);
    }
  }

  close(): void {
    this.#connection.close();
  }

  #limitLogs(): void {
    try {
      this.#connection.logs.trim();
    } catch (error) {
      // The transaction is saved.
      noteDamage(error, this.#database);
    }
  }

  #commit<T>(work: (tx: Tx) => T): T {
    try {
      // Deferred: an immediate transaction would also lock search.db, which the thread of the search index writes.
      const { tx, result } = transaction(this.#database, (db) => {
        const tx = beginTx(
          db,
          this.#kept,
          { now: this.#now(), stampTime: this.#stampTime() },
          mirror.number(db, 'sequence') + 1,
        );
        const result = work(tx);
        followRecords(tx);
        settle(tx);
        saveFolds(tx);
        return { tx, result };
      });
      keep(tx);
      endNotes(this.#database, true);
      return result;
    } catch (error) {
      endNotes(this.#database, false);
      throw error;
    }
  }
}
