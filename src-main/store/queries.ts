import type { Database } from 'better-sqlite3';
import { openForReading } from './database/connection.ts';
import { ErrorBoundary, withMappedErrors } from './database/error-boundary.ts';
import { storeFiles, type StoreFiles } from './database/files.ts';
import { HealthQueries } from './database/health.ts';
import { filesWithParked, listParkedMirrors } from './database/parked-mirrors.ts';
import { storedServices } from './database/stored-services.ts';
import { ItemQueries } from './items/item-queries.ts';
import * as visits from './items/visits.ts';
import { MarkQueries } from './marks/mark-queries.ts';
import * as models from './models/model-queries.ts';
import { NotificationQueries } from './notifications/notification-queries.ts';
import * as notificationSources from './notifications/notification-sources.ts';
import * as notifications from './notifications/notifications.ts';
import { ReportQueries } from './reports/report-queries.ts';
import { SearchQueries } from './search/search-queries.ts';
import { RuleQueries } from './rules/rule-queries.ts';
import { ItemContextQueries } from './stories/item-context.ts';
import { SourceQueries } from './sources/source-queries.ts';
import { StatisticsQueries } from './sources/statistics-queries.ts';
import { StoryQueries } from './stories/story-queries.ts';
import * as pause from './schedule/pause.ts';
import * as validators from './schedule/validators.ts';
import * as rankings from './stories/rankings.ts';
import { createTables, type Tables } from './tables.ts';
import * as textPages from './text-pages.ts';
import { readUserTables } from './user-data/exported-tables.ts';
import * as notes from './user-data/notes.ts';

/** All reads, by domain. They throw the errors of `database/errors.ts`. */
export type Queries = ReturnType<typeof createQueries>;

/** Queries on a read-only connection. */
export interface OpenQueries extends Queries {
  close(): void;
}

/**
 * Opens a data folder for reading, with or without a process that writes to it. Nothing is locked, created or changed.
 * Errors: `not_found` if nothing is saved yet, `data_newer`.
 */
export function openQueries(folder: string, files = storeFiles(folder)): OpenQueries {
  return withMappedErrors(folder, () => {
    const database = openForReading(files);
    try {
      const queries = createQueries(database, createTables(database), new ErrorBoundary(database));
      return { ...queries, close: () => void database.close() };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * Like {@link openQueries}. Until a complete selected set of the service in use is saved, these are the queries of the
 * service that was used before, if one of it is.
 */
export function openCompleteQueries(folder: string): OpenQueries {
  const current = openQueries(folder);
  if (current.selectedSet.complete) return current;
  for (const { id } of listParkedMirrors(folder)) {
    const earlier = openIfReadable(folder, filesWithParked(folder, id));
    if (earlier?.selectedSet.complete) {
      current.close();
      return earlier;
    }
    earlier?.close();
  }
  return current;
}

/**
 * Returns the name of the service to use in place of `wanted` until that has sent a complete selected set: the one that was
 * used last and has. Null if `wanted` has, or no other has.
 */
export function serviceBefore(folder: string, wanted: string): string | null {
  const inUse = { service: storedServices(folder).news ?? '', files: storeFiles(folder) };
  const parked = listParkedMirrors(folder).map(({ id, service }) => ({ service, files: filesWithParked(folder, id) }));
  const isComplete = ({ files }: typeof inUse): boolean | null => {
    const queries = openIfReadable(folder, files);
    const complete = queries?.selectedSet.complete ?? null;
    queries?.close();
    return complete;
  };
  const all = [inUse, ...parked].filter(({ service }) => service !== '');
  const own = all.find(({ service }) => service === wanted);
  // One that can't be read yet, for example of an earlier version, may be complete.
  if (own && isComplete(own) !== false) return null;
  return all.find((one) => one !== own && isComplete(one))?.service ?? null;
}

/** Returns null for files that can't be read as they are, for example of an earlier version. */
function openIfReadable(folder: string, files: StoreFiles): OpenQueries | null {
  try {
    return openQueries(folder, files);
  } catch {
    return null;
  }
}

/** The queries of one connection. The connection itself is never exposed outside the store. */
export function createQueries(database: Database, tables: Tables, boundary: ErrorBoundary) {
  const { fetchLog, mirror } = tables;
  const items = new ItemQueries(database, tables);
  return {
    /** Lists, search, single items and counters. */
    items: boundary.exposeAll(items),
    /** One search over items, stories, reports and models. */
    search: boundary.exposeAll(new SearchQueries(database, items)),
    /** Saved searches and mute rules. */
    rules: boundary.exposeAll(new RuleQueries(database, tables)),
    /** What items belong to. */
    itemContext: boundary.exposeAll(new ItemContextQueries(database)),
    /** Who published the items. */
    sources: boundary.exposeAll(new SourceQueries(database, mirror)),
    statistics: boundary.exposeAll(new StatisticsQueries(database)),
    /** Sync progress of the selected set. */
    selectedSet: boundary.expose(tables.selectedSet, [
      'cursor',
      'generation',
      'complete',
      'openSnapshot',
      'nextGeneration',
    ]),
    visits: boundary.bind(visits),
    rankings: boundary.bind(rankings),
    stories: boundary.exposeAll(new StoryQueries(database, tables)),
    reports: boundary.exposeAll(new ReportQueries(database, tables.addresses, tables.reports)),
    models: boundary.bind(models),
    notes: boundary.bind(notes),
    /** The folder through which machines share marks. */
    marks: boundary.exposeAll(new MarkQueries(database, tables.user)),
    notifications: {
      ...boundary.exposeAll(new NotificationQueries(database, tables)),
      ...boundary.bind(notificationSources),
      ...boundary.bind(notifications),
    },
    schedule: {
      ...boundary.expose(fetchLog, ['state', 'runs', 'servicePause']),
      /** The ETag for a conditional request: see `schedule/validators.ts`. */
      validator: boundary.bind(validators).get,
      /** The reader's pause of syncing as saved; it may have ended by now. */
      pause: boundary.bind(pause).get,
    },
    /** Text pages of the service, such as its guide for agents. */
    textPages: boundary.bind(textPages),
    userData: {
      /** The reader's data in the form of an export. */
      tables: () => boundary.run(() => readUserTables(database)),
    },
    health: boundary.exposeAll(new HealthQueries(database, tables.integrity)),
    /**
     * Single values of the mirror: `source` is the name of its service, `gateway` of its model gateway, `sequence` the
     * number of its last write.
     */
    mirror: boundary.expose(tables.mirror, ['get', 'number', 'json']),
  };
}
