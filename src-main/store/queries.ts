import type { Database } from 'better-sqlite3';
import { openForReading } from './database/connection.ts';
import { ErrorBoundary, explained } from './database/error-boundary.ts';
import { HealthQueries } from './database/health.ts';
import { ItemQueries } from './items/item-queries.ts';
import { VisitQueries } from './items/visit-queries.ts';
import { ModelQueries } from './models/model-queries.ts';
import { NotificationQueries } from './notifications/notification-queries.ts';
import { NotificationSources } from './notifications/notification-sources.ts';
import { ReportQueries } from './reports/report-queries.ts';
import { StoryQueries } from './stories/story-queries.ts';
import { createTables, type Tables } from './tables.ts';
import { readUserTables } from './user-data/exported-tables.ts';

/** Everything that is asked about what is stored, by domain. Errors of all of it: those of `database/errors.ts`. */
export type Queries = ReturnType<typeof createQueries>;

/** Queries on a connection that only reads. */
export interface OpenQueries extends Queries {
  close(): void;
}

/**
 * Opens a data folder to read it, beside the process that writes or without one; nothing is locked, made or changed. Errors:
 * `not_found` where nothing is stored yet, `data_newer`.
 */
export function openQueries(folder: string): OpenQueries {
  return explained(() => {
    const database = openForReading(folder);
    try {
      const queries = createQueries(database, createTables(database), new ErrorBoundary(database));
      return { ...queries, close: () => void database.close() };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** The queries of one connection, which is named nowhere outside the store. */
export function createQueries(database: Database, tables: Tables, boundary: ErrorBoundary) {
  const { notifications, fetchLog, validators, pause, stories, storyStatuses, rankings } = tables;
  return {
    /** Lists with their search, single items, counters. */
    items: boundary.exposeAll(new ItemQueries(database, tables)),
    /** How far the selected set is mirrored. */
    selectedSet: boundary.expose(tables.selectedSet, [
      'cursor',
      'generation',
      'complete',
      'openSnapshot',
      'nextGeneration',
    ]),
    visits: boundary.exposeAll(new VisitQueries(database, tables.visits, tables.mentionedModels)),
    rankings: boundary.expose(rankings, ['list', 'storyIds']),
    stories: boundary.exposeAll(new StoryQueries(database, stories, storyStatuses, rankings)),
    reports: boundary.exposeAll(new ReportQueries(database, tables.addresses, tables.reports)),
    models: boundary.exposeAll(new ModelQueries(database, tables)),
    notifications: {
      ...boundary.exposeAll(new NotificationQueries(database, tables)),
      ...boundary.exposeAll(new NotificationSources(database)),
      ...boundary.expose(notifications, ['held', 'latestLabel', 'progress']),
    },
    schedule: {
      ...boundary.expose(fetchLog, ['facts', 'runs']),
      /** The ETag to ask with: see `ValidatorsTable`. */
      validator: boundary.expose(validators, ['get']).get,
      /** The reader's wish that nothing is polled, as it is stored: perhaps over by now. */
      pause: boundary.expose(pause, ['get']).get,
    },
    /** Text pages of the service. */
    textPages: boundary.expose(tables.textPages, ['get']),
    userData: {
      /** What the reader did, as an export holds it. */
      tables: () => boundary.run(() => readUserTables(database)),
    },
    health: boundary.exposeAll(new HealthQueries(database, tables.integrity)),
    /** Single values of the mirror: `source` names its service, `gateway` its model gateway, `sequence` its last write. */
    mirror: boundary.expose(tables.mirror, ['get', 'number']),
  };
}
