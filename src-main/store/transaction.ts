import type { Database } from 'better-sqlite3';
import { repairDerivedData } from './database/derived-data.ts';
import type { ItemParts, ItemTx, WriteSummary } from './items/item-tx.ts';
import { StatusesTable } from './items/statuses-table.ts';
import { SlotAllocator } from './items/time-key.ts';
import * as visits from './items/visits.ts';
import { catchUpWithdrawnStars } from './items/withdrawn-stars.ts';
import * as items from './items/write.ts';
import { CarriedMarks } from './marks/carried-marks.ts';
import { MarkTables } from './marks/mark-tables.ts';
import * as modelLists from './models/model-lists.ts';
import * as modelStatuses from './models/model-statuses.ts';
import * as notifications from './notifications/notifications.ts';
import * as reportStatuses from './reports/report-statuses.ts';
import { RuleWrites } from './rules/rule-writes.ts';
import * as pause from './schedule/pause.ts';
import * as validators from './schedule/validators.ts';
import { bindAll, type Bound, type WritableDb } from './sql.ts';
import * as rankings from './stories/rankings.ts';
import * as storyStatuses from './stories/story-statuses.ts';
import type { Tables } from './tables.ts';
import * as textPages from './text-pages.ts';
import { UserDataImport, type Taken } from './user-data/import.ts';
import * as notes from './user-data/notes.ts';
import type { UserRows } from './user-data/user-rows.ts';

type Writers = ReturnType<typeof createWriters>;

/** What a transaction writes by functions that take its connection. */
const DOMAINS = {
  modelLists,
  modelStatuses,
  notes,
  notifications,
  pause,
  rankings,
  reportStatuses,
  storyStatuses,
  textPages,
  validators,
  visits,
};
type Domains = { [Name in keyof typeof DOMAINS]: Bound<WritableDb, (typeof DOMAINS)[Name]> };

/** Everything that one transaction can write, by domain. */
export interface Transaction extends Omit<Writers, 'begin' | 'catchUp'>, Domains {
  /** The time of the transaction, in ms since 1970. */
  readonly now: number;
  /** Returns the number of its last write so far. */
  lastSequence(): number;
  /** Its changes to items so far. */
  readonly summary: WriteSummary;
  readonly items: Bound<ItemTx, typeof items>;
}

/** In which state the files were found. */
interface Opening {
  wasLeftOpen: boolean;
  /** Whether the derived data of the mirror is wrong. */
  needsRepair: boolean;
  /** ms since 1970. */
  now: number;
}

/** The tables that are written. Each is created once, for the connection that writes. */
export function createWriters(database: Database, tables: Tables, source: string) {
  const { mirror, stories, counters, sources, addresses, coverage } = tables;
  const statuses = new StatusesTable(database, tables);
  const parts: ItemParts = {
    counters,
    rules: tables.appliedRules,
    sources,
    addresses,
    coverage,
    start: tables.readingStart,
    statuses,
    slots: new SlotAllocator(),
  };
  let domains: Domains | null = null;
  const writers = {
    /** The read and starred status of items. */
    statuses,
    /** What counts as read when a service is new. */
    readingStart: tables.readingStart,
    selectedSet: tables.selectedSet,
    /** The indexes of lists, which a first load does without. */
    listIndexes: tables.listIndexes,
    stories,
    reports: tables.reports,
    /** When each resource was requested, and when it is due. */
    schedule: tables.fetchLog,
    rules: new RuleWrites(tables),
    carriedMarks: new CarriedMarks(database, tables.user, new MarkTables(database, source, { ...tables, statuses })),
    integrity: tables.integrity,
    userData: {
      /** Imports the rows of an export. */
      take: (rows: UserRows): Taken =>
        new UserDataImport(database, {
          statuses,
          readingStart: tables.readingStart,
          rules: tables.rules,
          appliedRules: tables.appliedRules,
          mirror,
        }).take(rows),
    },
    mirror: {
      /** Sets a single value of the mirror; null removes it. An equal value is not written again. */
      set: (name: string, value: string | null): void => {
        if (mirror.get(name) !== value) mirror.set(name, value);
      },
    },
  };
  return {
    ...writers,
    /** Returns what the transaction of `db` writes, with this sequence number. */
    begin(db: WritableDb, now: number, sequence: number): Transaction {
      // The connection is the same in each transaction.
      domains ??= bindDomains(db);
      const tx = items.beginItems(db, parts, now, sequence);
      return {
        ...writers,
        ...domains,
        now,
        items: bindAll(tx, items),
        summary: tx.summary,
        lastSequence: () => tx.sequence,
      };
    },
    /** Within a transaction, once after opening: updates the data that is derived from another file. */
    catchUp(db: WritableDb, opening: Opening): void {
      visits.nameBuild(db);
      tables.integrity.opened(opening.wasLeftOpen, opening.now);
      if (opening.needsRepair) repairDerivedData(database, mirror);
      if (tables.addresses.catchUp()) tables.coverage.rebuild();
      while (tables.listIndexes.createNext());
      statuses.catchUp();
      tables.appliedRules.follow(tables.rules.sources());
      catchUpWithdrawnStars(db);
    },
  };
}

function bindDomains(db: WritableDb): Domains {
  const bound = Object.entries(DOMAINS).map(([name, domain]) => [name, bindAll(db, domain)]);
  return Object.fromEntries(bound) as Domains;
}
