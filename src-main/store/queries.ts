import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import { openForReading } from './database/connection.ts';
import * as sharedFolder from './devices/shared-folder.ts';
import * as sharedSettings from './devices/shared-settings.ts';
import { ErrorBoundary, withMappedErrors } from './database/error-boundary.ts';
import { storeFiles, type StoreFiles } from './database/files.ts';
import * as health from './database/health.ts';
import { filesWithParked, listParkedMirrors, storedServices } from './database/parked-mirrors.ts';
import { mirrorProperties } from './database/properties.ts';
import * as items from './items/item-queries.ts';
import { SelectedSet } from './items/selected-set.ts';
import * as visits from './items/visits.ts';
import * as lists from './lists/list-queries.ts';
import * as models from './models/model-queries.ts';
import * as notificationQueries from './notifications/notification-queries.ts';
import * as notifications from './notifications/notifications.ts';
import * as records from './records.ts';
import * as reportQueries from './reports/report-queries.ts';
import * as reports from './reports/reports.ts';
import * as search from './search/search-queries.ts';
import * as rules from './rules/rules.ts';
import * as sources from './sources/sources.ts';
import * as statistics from './sources/statistics.ts';
import * as stories from './stories/stories.ts';
import * as documents from './documents.ts';
import * as fetches from './schedule/fetches.ts';
import * as schedule from './schedule/schedule.ts';
import * as rankings from './stories/rankings.ts';
import * as exported from './user-data/export.ts';
import * as notes from './user-data/notes.ts';
import * as presence from './user-data/presence.ts';

/** They throw the errors of `database/errors.ts`. */
export type Queries = ReturnType<typeof createQueries>;

interface OpenQueries extends Queries {
  close(): void;
}

/** Locks and changes nothing. Errors: `not_found` if nothing is saved yet, `data_newer`. */
export function openQueries(folder: string, files = storeFiles(folder)): OpenQueries {
  return withMappedErrors(folder, () => {
    const database = openForReading(files);
    try {
      const queries = createQueries(database, new ErrorBoundary(database));
      return { ...queries, close: () => void database.close() };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Opens the service used before until a complete selected set of the one in use is saved. */
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

/** Returns the service to use until `wanted` has sent a complete selected set; null if it has, or if no other has. */
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

function openIfReadable(folder: string, files: StoreFiles): OpenQueries | null {
  try {
    return openQueries(folder, files);
  } catch {
    return null;
  }
}

/** Never expose the connection outside the store. */
export function createQueries(database: Database, boundary: ErrorBoundary) {
  return {
    items: { ...boundary.bind(lists), ...boundary.bind(items) },
    search: boundary.bind(search),
    rules: boundary.bind(rules),
    sources: boundary.bind(sources),
    statistics: boundary.bind(statistics),
    selectedSet: boundary.expose(new SelectedSet(database)),
    visits: boundary.bind(visits),
    presence: boundary.bind(presence),
    rankings: boundary.bind(rankings),
    stories: boundary.bind(stories),
    reports: { ...boundary.bind(reports), ...boundary.bind(reportQueries) },
    models: boundary.bind(models),
    notes: boundary.bind(notes),
    records: boundary.bind(records),
    devices: { ...boundary.bind(sharedFolder), ...boundary.bind(sharedSettings) },
    notifications: { ...boundary.bind(notificationQueries), ...boundary.bind(notifications) },
    fetches: boundary.bind(fetches),
    schedule: boundary.bind(schedule),
    documents: boundary.bind(documents),
    userData: { records: () => boundary.run(() => exported.records(database)) },
    health: boundary.bind(health),
    /** `source` names the service, `gateway` the model gateway; `sequence` is the number of the last write. */
    mirror: {
      ...boundary.bind(mirrorProperties),
      json: <T>(name: string, schema: z.ZodType<T>): T | null =>
        boundary.run(() => mirrorProperties.json(database, name, schema)),
    },
  };
}
