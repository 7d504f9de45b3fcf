import Connection, { type Database } from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { StorageWarning } from '../contract/model/sync-status.ts';
import { backUpDaily, makeBackup, type DailyBackup } from './database/backups.ts';
import { repairMarker } from './database/files.ts';
import { makeAllDue, type WritingConnection } from './database/connection.ts';
import { noteDamage } from './database/corruption.ts';
import { dismissLoss, idOf } from './database/set-aside.ts';
import { standingWarnings } from './database/storage-warnings.ts';
import { ErrorBoundary } from './database/error-boundary.ts';
import { AddressIndexer } from './items/address-indexer.ts';
import { changesItems } from './items/item-tx.ts';
import type { CarriedMarks } from './marks/carried-marks.ts';
import { MentionIndexer } from './models/mentions/mention-indexer.ts';
import type { RunRecord, ScheduleState } from './schedule/fetch-log.ts';
import { createQueries, type Queries } from './queries.ts';
import { SearchIndexer } from './search/search-indexer.ts';
import { transaction, type WritableDb } from './sql.ts';
import { createTables, type Tables } from './tables.ts';
import { takeOver } from './take-over.ts';
import { createWriters, type Transaction } from './transaction.ts';

/** A transaction that changes at least so many items is part of a load, or of a large sync. */
const LARGE_WRITE = 200;

/** A property of the mirror: the file of the mirror before it. */
const TAKEN_OVER = 'taken_over';

const READ_OF_MARKS = ['config', 'isNoting', 'lastMachine', 'follow', 'unsaved', 'own', 'arrivedSettings'] as const;

export interface StoreOptions {
  /** A data folder, or `:memory:`. */
  folder: string;
  /** The name of the mirrored service. */
  source: string;
  /** ms since 1970. */
  now: () => number;
  /** The caller holds the folder's lock ({@link lockDataFolder}). Default: the store locks it while it is open. */
  locked?: boolean;
}

/**
 * An open data folder. `queries` reads; all writes run in a transaction. The connection is private. Everything here
 * throws the errors of `database/errors.ts`.
 */
export class Store {
  readonly folder: string;
  readonly queries: Queries;
  #storageWarnings: StorageWarning[];
  readonly #connection: WritingConnection;
  readonly #database: Database;
  readonly #boundary: ErrorBoundary;
  readonly #tables: Tables;
  readonly #writers;
  readonly #now: () => number;
  readonly #changes;
  /** How many rows had been written at the last checkpoint. */
  #checkpointed = -1;

  /** @param connection is closed with the store, also if the constructor throws */
  constructor(connection: WritingConnection, { folder, source, now }: StoreOptions) {
    const { database, storageWarnings } = connection;
    this.folder = folder;
    this.#connection = connection;
    this.#database = database;
    this.#boundary = new ErrorBoundary(database);
    this.#now = now;
    this.#changes = database.prepare<[], number>('SELECT total_changes()').pluck();
    try {
      this.#storageWarnings = [...standingWarnings(folder), ...storageWarnings];
      this.#tables = createTables(database);
      this.#writers = createWriters(database, this.#tables, source);
      this.queries = createQueries(database, this.#tables, this.#boundary);
      const repair = repairMarker(database.name);
      const needsRepair = existsSync(repair);
      this.#commit((db) => {
        this.#writers.catchUp(db, { wasLeftOpen: connection.wasLeftOpen, needsRepair, now: now() });
      });
      if (needsRepair) rmSync(repair, { force: true });
      this.#writers.carriedMarks.follow();
    } catch (error) {
      const told = noteDamage(error, database);
      this.close();
      throw told;
    }
  }

  /** True until the first write of items, and until something was taken over. */
  get isNew(): boolean {
    const { mirror } = this.#tables;
    return mirror.number('sequence') === 0 && mirror.get(TAKEN_OVER) === null;
  }

  /** What happened to the files of the folder, until the reader has dealt with it. */
  get storageWarnings(): readonly StorageWarning[] {
    return this.#storageWarnings;
  }

  /**
   * Ends a warning; `id` is the name of the file that was set aside, else that of the file. Returns false if there is none.
   */
  dismissWarning(id: string): boolean {
    const isKept = this.#boundary.run(() => dismissLoss(this.folder, id));
    const rest = this.#storageWarnings.filter((warning) => idOf(warning) !== id);
    const isShown = rest.length < this.#storageWarnings.length;
    this.#storageWarnings = rest;
    return isKept || isShown;
  }

  /**
   * Runs `work` in one transaction and returns its result. All of its writes are saved, or none; without writes the
   * files are not touched. `work` must be synchronous. Its own errors are rethrown.
   */
  transaction<T>(work: (tx: Transaction) => T): T {
    const { mirror } = this.#tables;
    const { result, isLarge } = this.#boundary.run(() =>
      this.#commit((db) => {
        const sequence = mirror.number('sequence') + 1;
        const tx = this.#writers.begin(db, this.#now(), sequence);
        const result = work(tx);
        if (changesItems(tx.summary)) mirror.set('sequence', tx.lastSequence());
        const isLarge = tx.summary.added + tx.summary.ids.length >= LARGE_WRITE;
        if (isLarge) this.#connection.logs.load();
        return { result, isLarge };
      }),
    );
    if (isLarge) this.#boundLogs();
    return result;
  }

  /** Updates the search index from the mirror, one step and one transaction at a time. */
  searchIndexer(): Pick<SearchIndexer, 'index' | 'step' | 'lag'> {
    const { mirror } = this.#tables;
    return this.#boundary.exposeAll(this.#boundary.run(() => new SearchIndexer(this.#database, mirror)));
  }

  /** Creates the next missing index of the lists, in a transaction; returns false when there are all. */
  createListIndex(): boolean {
    const { listIndexes } = this.#tables;
    return !listIndexes.complete && this.#boundary.run(() => this.#commit(() => listIndexes.createNext()));
  }

  /** Indexes the addresses of items, one step and one transaction at a time. */
  addressIndexer(): Pick<AddressIndexer, 'step'> {
    return this.#boundary.exposeAll(this.#boundary.run(() => new AddressIndexer(this.#database, this.#tables)));
  }

  /** Finds the models of gateway `owner` ('' for none) that items name, one step and one transaction at a time. */
  mentionIndexer(owner: string): Pick<MentionIndexer, 'step' | 'namesChanged'> {
    return this.#boundary.exposeAll(this.#boundary.run(() => new MentionIndexer(this.#database, this.#tables, owner)));
  }

  /** Matches saved items with rules that are new, one step and one transaction at a time; false when there is nothing left. */
  matchRules(): boolean {
    const { appliedRules, ruleMatcher } = this.#tables;
    return appliedRules.pending().length > 0 && this.#boundary.run(() => this.#commit(() => ruleMatcher.step()));
  }

  /** What machines share through a folder, outside of a transaction. */
  get marks(): Pick<CarriedMarks, (typeof READ_OF_MARKS)[number]> {
    return this.#boundary.expose(this.#writers.carriedMarks, [...READ_OF_MARKS]);
  }

  /**
   * For a mirror that takes the place of another: takes over what the service may not send any more, and makes everything
   * due. `file` is the other one.
   */
  takeOver(file: string): void {
    // Attached, it would end all writing of this connection after the first damage.
    const old = new Connection(file, { fileMustExist: true });
    try {
      this.transaction((tx) => {
        takeOver(this.#database, old, this.#tables, tx);
        tx.mirror.set(TAKEN_OVER, basename(file));
        makeAllDue(this.#database);
      });
      // It is to be replaced, and its log with it: whoever reads it until then must not need the log.
      old.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      old.close();
    }
  }

  /** Copies user.db into the backup folder. Errors: `disk_full`, `data_read_only`, `not_supported`. */
  backUp(): void {
    this.#boundary.run(() => {
      makeBackup(this.#database, this.folder, this.#now());
    });
  }

  /** Like {@link backUp}, but at most once a day and only if something changed. */
  backUpDaily(): DailyBackup {
    return this.#boundary.run(() => backUpDaily(this.#database, this.folder, this.#now()));
  }

  /** Notes a run that found nothing new, without a write: see `FetchLog.remember`. */
  remember(run: RunRecord, state: ScheduleState): void {
    this.#tables.fetchLog.remember(run, state);
  }

  /** Whether the fetch log has entries that are only in memory: see {@link saveLog}. */
  get hasUnsavedLog(): boolean {
    return !this.#tables.pendingLog.isEmpty;
  }

  /** Saves the entries of the fetch log that were only remembered. They are also saved with every recorded run. */
  saveLog(): void {
    const { pendingLog } = this.#tables;
    if (pendingLog.isEmpty) return;
    this.#boundary.run(() =>
      this.#commit(() => {
        pendingLog.write();
      }),
    );
  }

  /** Moves the write-ahead logs into the database files, if anything was written since, and empties them. Call it when idle. */
  checkpoint(): void {
    const changes = this.#changes.get() ?? 0;
    if (changes === this.#checkpointed) return;
    try {
      if (this.#connection.logs.empty()) this.#checkpointed = changes;
    } catch (error) {
      // What could not be moved, for example because the disk is full, stays safe in the logs until the next call.
      noteDamage(error, this.#database);
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** The transaction before it is saved, whatever happens here. */
  #boundLogs(): void {
    try {
      this.#connection.logs.bound();
    } catch (error) {
      noteDamage(error, this.#database);
    }
  }

  /** Counters and folds are saved in the same transaction as the rows that they are derived from. */
  #commit<T>(work: (db: WritableDb) => T): T {
    const { counters, folds, sources, pendingLog, fetchLog, listIndexes, appliedRules } = this.#tables;
    try {
      // Deferred: an immediate transaction would also lock search.db, which the thread of the search index writes.
      const done = transaction(this.#database, (db) => {
        const result = work(db);
        folds.flush();
        counters.flush();
        return result;
      });
      if (pendingLog.commit()) fetchLog.clearRemembered();
      return done;
    } catch (error) {
      counters.drop();
      folds.drop();
      sources.drop();
      appliedRules.drop();
      pendingLog.rollback();
      listIndexes.forget();
      throw error;
    }
  }
}
