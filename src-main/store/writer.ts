import type { Database } from 'better-sqlite3';
import type { ReportKind } from '../contract/model/report.ts';
import { MODEL_LISTS, type ResourceName } from '../contract/model/resource.ts';
import type { Counts } from '../contract/model/counts.ts';
import type { Item, ItemsQuery, ItemAction } from '../contract/model/item.ts';
import type { StorageWarning } from '../contract/model/sync-status.ts';
import type { Workload } from '../contract/model/model.ts';
import { AddressesTable } from './items/addresses-table.ts';
import { backUpDaily, makeBackup, type DailyBackup } from './database/backups.ts';
import { ModelListsTable } from './models/model-lists-table.ts';
import { Counters } from './items/counters.ts';
import { noteCorruption } from './database/corruption.ts';
import { openForWriting, type WritingConnection } from './database/connection.ts';
import { ReportStatusesTable } from './reports/report-statuses-table.ts';
import { ReportsTable } from './reports/reports-table.ts';
import { explainStoreError } from './database/errors.ts';
import { ItemsTable, type Outcome, type Stamp } from './items/items-table.ts';
import { FetchLog, type RunRecord, type ScheduleState } from './schedule/fetch-log.ts';
import { sortTime } from './items/time-key.ts';
import { StatusesTable, type Undo } from './items/statuses-table.ts';
import { ModelStatusesTable } from './models/model-statuses-table.ts';
import { TextPages, type TextPage } from './text-pages.ts';
import { Properties } from './database/properties.ts';
import { RankingsTable } from './stories/rankings-table.ts';
import { SelectedSet } from './items/selected-set.ts';
import { StoriesTable } from './stories/stories-table.ts';
import { UserDataImport, type Taken } from './user-data/import.ts';
import type { UserRows } from './user-data/user-rows.ts';
import { ValidatorsTable } from './schedule/validators.ts';
import { VisitsTable } from './items/visits-table.ts';
import { changesItems, type Write, type WriteSummary } from './write.ts';

/** The one writer of a data folder. Every change goes through {@link StoreWriter.write} or a mark. */
export class StoreWriter {
  readonly database: Database;
  readonly folder: string;
  readonly storageWarnings: StorageWarning[];
  readonly selectedSet: SelectedSet;
  readonly validators: ValidatorsTable;
  readonly reports: ReportsTable;
  readonly rankings: RankingsTable;
  readonly stories: StoriesTable;
  readonly models: ModelListsTable;
  readonly fetchLog: FetchLog;
  readonly visits: VisitsTable;
  readonly pages: TextPages;
  readonly #connection: WritingConnection;
  readonly #now: () => number;
  readonly #items: ItemsTable;
  readonly #marks: StatusesTable;
  readonly #reportMarks: ReportStatusesTable;
  readonly #modelMarks: ModelStatusesTable;
  readonly #counters: Counters;
  readonly #properties: Properties;

  /** Errors: as {@link openForWriting}. */
  constructor(folder: string, source: string, now: () => number) {
    this.folder = folder;
    this.#connection = openForWriting(folder, source, now());
    this.#now = now;
    this.database = this.#connection.database;
    this.storageWarnings = this.#connection.storageWarnings;
    try {
      this.#counters = new Counters(this.database);
      const addresses = new AddressesTable(this.database);
      this.#items = new ItemsTable(this.database, this.#counters, addresses);
      this.#marks = new StatusesTable(this.database, this.#counters, addresses);
      this.#reportMarks = new ReportStatusesTable(this.database, source);
      this.#modelMarks = new ModelStatusesTable(this.database);
      this.reports = new ReportsTable(this.database);
      this.#properties = new Properties(this.database, 'main');
      this.selectedSet = new SelectedSet(this.database);
      this.validators = new ValidatorsTable(this.database);
      this.rankings = new RankingsTable(this.database);
      this.stories = new StoriesTable(this.database);
      this.models = new ModelListsTable(this.database);
      this.fetchLog = new FetchLog(this.database);
      this.visits = new VisitsTable(this.database);
      this.pages = new TextPages(this.database);
      this.#transaction(() => {
        this.visits.nameBuild();
        addresses.catchUp();
        this.#marks.catchUp();
      });
    } catch (error) {
      noteCorruption(error, this.database);
      this.close();
      throw explainStoreError(error);
    }
  }

  /** Runs `work` in one transaction and tells what it did. A write that changes nothing leaves the files untouched. */
  write(work: (write: Write) => void): WriteSummary {
    return this.#transaction(() => {
      const write = this.#begin();
      work(write);
      if (changesItems(write.summary)) this.#properties.set('sequence', this.sequence + 1);
      return write.summary;
    });
  }

  mark(ids: readonly string[], mark: ItemAction): Undo {
    return this.#transaction(() => this.#marks.mark(ids, mark, this.#now()));
  }

  markAllRead(query: ItemsQuery, watermark: number): Undo {
    return this.#transaction(() => this.#marks.markAllRead(query, watermark, this.#now()));
  }

  /** Marks a citation by its canonical address, and the items of that address. */
  markCitation(address: string, read: boolean): Undo {
    return this.#transaction(() => this.#marks.markAddress(address, read, this.#now()));
  }

  /** True if it was not so before. */
  markReport(kind: ReportKind, label: string, read: boolean): boolean {
    return this.#transaction(() => this.#reportMarks.mark(kind, label, read, this.#now()));
  }

  /** True if it was not so before. */
  favouriteModel(id: string, on: boolean): boolean {
    return this.#transaction(() => this.#modelMarks.favourite(id, on, this.#now()));
  }

  /** Replaces what else a model is called. Errors: `invalid_argument`, naming the other model that has a word. */
  setAliases(id: string, aliases: readonly string[]): void {
    this.#transaction(() => {
      this.#modelMarks.setAliases(id, aliases);
    });
  }

  /** Errors: `invalid_argument` for a name that another one has, `not_found` for an id that none has. */
  saveWorkload(workload: Workload): void {
    this.#transaction(() => {
      this.#modelMarks.saveWorkload(workload, this.#now());
    });
  }

  /** In the order in which they were made. */
  workloads(): Workload[] {
    return this.#modelMarks.workloads();
  }

  removeWorkload(id: number): void {
    this.#transaction(() => {
      this.#modelMarks.removeWorkload(id);
    });
  }

  /** Takes an export's rows in, all of them or none. Errors: `disk_full`, `data_read_only`. */
  takeIn(rows: UserRows): Taken {
    return this.#transaction(() => {
      const taken = new UserDataImport(this.database, this.#marks).take(rows);
      for (const { mirror, public_id: publicId } of rows.story_status) {
        const survivor = this.stories.resolve(publicId);
        if (mirror === this.property('source') && survivor !== publicId) this.stories.marks.move(publicId, survivor);
      }
      return taken;
    });
  }

  /** Copies user.db into the folder of the backups. Errors: `disk_full`, `data_read_only`, `not_supported`. */
  backUp(): void {
    this.#explained(() => makeBackup(this.database, this.folder, this.#now()));
  }

  /** As {@link backUp}, once a day where anything changed. */
  backUpDaily(): DailyBackup {
    return this.#explained(() => backUpDaily(this.database, this.folder, this.#now()));
  }

  undo(undo: Undo): number {
    return this.#transaction(() => this.#marks.undo(undo));
  }

  /** The reader has caught up with everything that is written. */
  endVisit(): void {
    this.#transaction(() => {
      this.visits.end(this.#now());
    });
  }

  savePage(name: string, page: TextPage): void {
    this.#transaction(() => {
      this.pages.put(name, page);
    });
  }

  /** The number of the last write that changed an item. */
  get sequence(): number {
    return this.#properties.number('sequence');
  }

  property(name: string): string | null {
    return this.#properties.get(name);
  }

  /** See {@link ItemsTable.dropBefore}. */
  dropBefore(horizon: number, from: number, limit: number): { dropped: number; next: number | null } {
    return this.#transaction(() => this.#items.dropBefore(horizon, from, limit));
  }

  /** Whether an item is stored, or starred. */
  isKept(id: string): boolean {
    return this.#items.isKept(id);
  }

  isListed(id: string): boolean {
    return this.#items.isListed(id);
  }

  counts(): Counts {
    return this.#counters.read(this.selectedSet.complete);
  }

  /** A transaction that touches no item: the fetchLog's. Without facts the schedule stays as it is. */
  record(run: RunRecord, facts: ScheduleState | null): void {
    this.#transaction(() => {
      this.fetchLog.record(run, facts);
    });
  }

  reschedule(resource: ResourceName, facts: ScheduleState): void {
    this.#transaction(() => {
      this.fetchLog.reschedule(resource, facts);
    });
  }

  /**
   * Says whose model lists the fetch log is to speak of from here on: what it has of another gateway goes. A new mirror knows of
   * none, and then a wish for patience stands; null is no gateway.
   */
  nameGateway(owner: string | null): void {
    const named = this.property('gateway');
    if (named === owner && owner !== null) return;
    this.#transaction(() => {
      if (named !== null || owner === null) for (const item_index of MODEL_LISTS) this.fetchLog.forget(item_index);
      this.#properties.set('gateway', owner);
    });
  }

  /** Moves what was written from the write-ahead logs into the files; to be called when nothing else is to do. */
  checkpoint(): void {
    try {
      this.database.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      // What could not be moved, for want of room say, is safe in the logs until the next time.
      noteCorruption(error, this.database);
    }
  }

  close(): void {
    this.#connection.close();
  }

  #begin(): Write {
    const items = this.#items;
    const stamp: Stamp = { sequence: this.sequence + 1, now: this.#now() };
    const summary: WriteSummary = { added: 0, revised: 0, withdrawn: 0, ids: [] };
    const count = (id: string, outcome: Outcome | 'withdrawn'): void => {
      if (outcome === 'unchanged' || outcome === 'refused') return;
      if (outcome !== 'completed') summary[outcome] += 1;
      if (outcome !== 'added') summary.ids.push(id);
    };
    const write: Write = {
      summary,
      selectedSet: this.selectedSet,
      validators: this.validators,
      rankings: this.rankings,
      stories: this.stories,
      models: this.models,
      reports: this.reports,
      upsert: (item, origin) => {
        const outcome = items.upsert(item, origin, stamp);
        if (outcome === 'added') this.#marks.inherit(item.id, item.links.original);
        count(item.id, outcome);
        return outcome;
      },
      // Oldest first: neighbours in time are neighbours in the tables.
      upsertAll: (all, origin) => {
        for (const item of inOrder(all, stamp.now)) write.upsert(item, origin);
      },
      withdraw: (id) => {
        if (!items.withdraw(id, stamp)) return;
        count(id, 'withdrawn');
        // GET /items may go on item index it, unselected: the next answer has to be a whole one.
        this.validators.clear('items');
      },
      keepMember: (id, generation) => {
        items.keepMember(id, generation, stamp);
      },
      sweepBefore: (generation) => {
        for (const id of items.membersBefore(generation)) write.withdraw(id);
      },
      setProperty: (name, value) => {
        if (this.#properties.get(name) !== value) this.#properties.set(name, value);
      },
    };
    return write;
  }

  #explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      noteCorruption(error, this.database);
      throw explainStoreError(error);
    }
  }

  #transaction<T>(work: () => T): T {
    try {
      return this.database
        .transaction(() => {
          const result = work();
          this.#counters.flush();
          return result;
        })
        .immediate();
    } catch (error) {
      this.#counters.drop();
      noteCorruption(error, this.database);
      throw explainStoreError(error);
    }
  }
}

/** Answers come newest first: turned round, so that of two items with one time the newer one gets the later key. */
function inOrder(items: readonly Item[], now: number): Item[] {
  return items
    .toReversed()
    .map((item) => ({ item, time: sortTime(item, now) }))
    .sort((a, b) => a.time - b.time)
    .map(({ item }) => item);
}
