import type { Database } from 'better-sqlite3';
import { ItemWrites, type WriteSummary } from './items/item-writes.ts';
import { ItemsTable } from './items/items-table.ts';
import { StatusesTable } from './items/statuses-table.ts';
import { ReportStatusesTable } from './reports/report-statuses-table.ts';
import type { Tables } from './tables.ts';
import { UserDataImport, type Taken } from './user-data/import.ts';
import type { UserRows } from './user-data/user-rows.ts';

type Writers = ReturnType<typeof createWriters>;

/** What can be written within one transaction, by domain: all of it is stored, or nothing. */
export interface Transaction extends Omit<Writers, 'begin' | 'catchUp'> {
  /** The time of the transaction, in ms since 1970. */
  readonly now: number;
  /** What it did to the items so far. */
  readonly summary: WriteSummary;
  readonly items: ItemWrites;
}

/** The tables that are written, each made once for the one connection that writes. */
export function createWriters(database: Database, tables: Tables, source: string) {
  const { mirror, validators, stories, storyStatuses } = tables;
  const items = new ItemsTable(database, tables);
  const statuses = new StatusesTable(database, tables);
  const writers = {
    /** What the reader did with items: read, starred. */
    statuses,
    selectedSet: tables.selectedSet,
    visits: tables.visits,
    rankings: tables.rankings,
    stories,
    storyStatuses,
    reports: tables.reports,
    reportStatuses: new ReportStatusesTable(database, source),
    modelLists: tables.modelLists,
    modelStatuses: tables.modelStatuses,
    notifications: tables.notifications,
    /** When each resource was asked, and is to be asked. */
    schedule: tables.fetchLog,
    validators,
    pause: tables.pause,
    textPages: tables.textPages,
    integrity: tables.integrity,
    userData: {
      /** Takes an export's rows in. */
      take: (rows: UserRows): Taken =>
        new UserDataImport(database, { statuses, stories, storyStatuses, mirror }).take(rows),
    },
    mirror: {
      /** Sets a single value of the mirror; null removes it. One that is as wanted is not written. */
      set: (name: string, value: string | null): void => {
        if (mirror.get(name) !== value) mirror.set(name, value);
      },
    },
  };
  return {
    ...writers,
    /** Begins the write with this number, for whoever runs the transaction. */
    begin(now: number, sequence: number): Transaction {
      const written = new ItemWrites({ items, statuses, validators }, { now, sequence });
      return { ...writers, now, items: written, summary: written.summary };
    },
    /** Within a transaction: brings what follows another file up to it, once after opening. */
    catchUp(): void {
      tables.visits.nameBuild();
      tables.addresses.catchUp(mirror);
      statuses.catchUp();
    },
  };
}
