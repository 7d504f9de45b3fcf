/** The store: reads and writes a data folder. The rest of the app may import only this file. */
import * as backups from './database/backups.ts';
import { withMappedErrors } from './database/error-boundary.ts';
import * as files from './database/files.ts';
import * as lock from './database/lock.ts';
import * as parkedMirrors from './database/parked-mirrors.ts';
import * as queries from './queries.ts';

export { openCompleteQueries, openQueries, type Queries } from './queries.ts';
export { openStore, openUnfinishedMirror } from './open-store.ts';
export type { Store, StoreOptions } from './store.ts';
export { DERIVED_NAMES, type DerivedName } from './derived/list.ts';
export { loadSqlite } from './database/connection.ts';
export { flushFolder, isWithin } from './database/files.ts';
export { openSearchIndexer, type OpenSearchIndexer } from './search/search-indexer.ts';
export type { Transaction } from './transaction.ts';
export type { Before } from './records.ts';

export { changesItems, type Changed, type Changes, type WriteSummary } from './tx.ts';
export type { Origin } from './items/save.ts';
export { isOlder, isOlderByAnyTime } from './items/time-key.ts';
export { digestHash, freshIn, type StoryStatus } from './stories/story-statuses.ts';
export { mergeNotified, readNotified, storyProgress } from './notifications/notifications.ts';
export type { SharedFolder } from './devices/shared-folder.ts';
export type { Stamped } from './records.ts';
export { readExported } from './user-data/export.ts';

export type { FolderLock } from './database/lock.ts';
export type { Restored } from './database/backups.ts';
export type { CheckOptions, CheckResult, Integrity } from './database/health.ts';
export type { OpenSnapshot } from './items/selected-set.ts';
export { OPEN_MARKING, openMarking, type MarkedPart, type OpenMarking } from './statuses/actions.ts';
export type {
  FoundNotification,
  NotificationRecord,
  NotificationState,
  NotifiedOfStory,
} from './notifications/notifications.ts';
export type { ListedReport } from './notifications/notification-queries.ts';
export { indexFetch, type IndexFetch, type IndexName, type ReportFacts } from './reports/reports.ts';
export type { FetchedModelList } from './models/model-lists.ts';
export { answeredAt, FAILURE, type Doubt, type Fetch, type ScheduleState } from './schedule/fetches.ts';
export type { Pause, RunRecord, ServicePause } from './schedule/schedule.ts';
export type { LinkedTopic } from './stories/rankings.ts';
export type { StoryRecord } from './stories/stories.ts';

/** These work on the files of a folder that is not open. */
export const listBackups = mapErrorsOf(backups.listBackups);
export const soundBackup = mapErrorsOf(backups.soundBackup);
export const restoreBackup = mapErrorsOf(backups.restoreBackup);
export const listParkedMirrors = mapErrorsOf(parkedMirrors.listParkedMirrors);
export const removeParkedMirror = mapErrorsOf(parkedMirrors.removeParkedMirror);
export const expireParkedMirrors = mapErrorsOf(parkedMirrors.expireParkedMirrors);
export const serviceBefore = mapErrorsOf(queries.serviceBefore);
export const storedServices = mapErrorsOf(parkedMirrors.storedServices);
export const standingWarnings = mapErrorsOf(backups.standingWarnings);
export const checkFolder = mapErrorsOf(lock.checkFolder);
export const isDamaged = mapErrorsOf(files.isDamaged);
export const lockDataFolder = mapErrorsOf(lock.lockDataFolder);
export const makeDataFolder = mapErrorsOf(lock.makeFolder);

function mapErrorsOf<A extends [folder: string, ...others: unknown[]], T>(work: (...args: A) => T): (...args: A) => T {
  return (...args) => withMappedErrors(args[0], () => work(...args));
}
