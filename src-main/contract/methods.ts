import { z } from 'zod';
import { BroadsheetError, type Failure } from './errors.ts';
import {
  address,
  fileName,
  futureTime,
  itemId,
  itemsQuery,
  key,
  machineId,
  modelId,
  modelList,
  noteKey,
  month,
  onlineSearch,
  place,
  report,
  reportLabels,
  resources,
  rowId,
  ruleId,
  ruleName,
  ruleQuery,
  search,
  searchSuggestions,
  sequence,
  serviceName,
  settingsPatch,
  sourceName,
  storyId,
  time,
  windowTarget,
  workload,
} from './guards.ts';
import type { Capabilities } from './model/capabilities.ts';
import type { Counts } from './model/counts.ts';
import {
  type ExportFrame,
  type ExportPart,
  ITEM_EXPORT_FORMATS,
  MOST_REPORTS_IN_BOOK,
  MOST_REPORTS_IN_PART,
} from './model/export.ts';
import type { Gateway, KeyTrial } from './model/gateway.ts';
import type { HotTopics } from './model/hot-topic.ts';
import type {
  ActionReceipt,
  ItemContext,
  ItemPlaces,
  ItemRow,
  ItemsCount,
  ItemsPage,
  StoredItem,
} from './model/item.ts';
import { LONGEST_PASSPHRASE, type MarksFolder, SHORTEST_PASSPHRASE } from './model/marks-folder.ts';
import type { ModelLine, ModelRefresh, StoredModel, Workload } from './model/model.ts';
import { LONGEST_NOTE, MOST_NOTES, type Note, type NoteKey, type NoteLine } from './model/note.ts';
import type { NotificationTrial, StoredNotification } from './model/notification.ts';
import { REPORT_KINDS, type ReportLine, type StoredReport } from './model/report.ts';
import { ACCEPTABLE_RESOURCES, RESOURCES } from './model/resource.ts';
import type { MuteRules, SavedSearches } from './model/rules.ts';
import type { SearchResults, SearchSuggestion } from './model/search.ts';
import { SOURCE_SORTS, type SourceList, type SourcePage } from './model/source.ts';
import { STATISTICS_DAYS, type Statistics } from './model/statistics.ts';
import type { StoredStory, StoryLine } from './model/story.ts';
import type { NewsSource, SyncResult, SyncStatus } from './model/sync-status.ts';
import type { Today } from './model/today.ts';
import {
  type GuidePage,
  type OnlineResult,
  type Revision,
  type SinceLastVisit,
  type SyncHealth,
  VISIT_LISTS,
  type Withdrawal,
} from './model/visit.ts';
import type { Settings } from './settings.ts';
import type { Target } from './targets.ts';
import { type Backup, type ImportResult, LONGEST_USER_DATA, type ParkedMirror } from './user-data.ts';

/** What the body of a method needs: only saved data, the engine's thread, or parts of the host and the core. */
type Kind = 'read' | 'engine' | 'host';

interface Method<K extends Kind, Guard extends z.ZodType, Result> {
  readonly kind: K;
  /** Validates the arguments before the body runs. */
  readonly guard: Guard;
  /** Never set: only the type of the result. */
  readonly result?: Result;
}

type GuardOf<Given> = Given extends z.ZodType
  ? Given
  : Given extends z.ZodRawShape
    ? z.ZodObject<Given, z.core.$strict>
    : never;

/** `given` is the shape of the arguments, or a guard for those of several kinds. */
const method =
  <K extends Kind>(kind: K) =>
  <const Given extends z.ZodRawShape | z.ZodType>(given: Given) => ({
    returns: <Result>(): Method<K, GuardOf<Given>, Result> => {
      const guard = given instanceof z.ZodType ? given : z.strictObject(given);
      return { kind, guard: guard as z.ZodType as GuardOf<Given> };
    },
  });

/** The body only reads what is saved: it is in `core/reads.ts`. */
const read = method('read');
/** The body is in `sync/engine/methods/`, because it writes, fetches, or needs state of the engine. */
const engine = method('engine');
/** The body needs the session, with settings, keys, files and the desktop: it is in `core/host-methods.ts`. */
const host = method('host');

/** A result or arguments without members. */
type Nothing = Record<string, never>;

/**
 * The whole API between page and core. Every method is asynchronous, takes one object and returns a `Reply`. Any method
 * can fail with `invalid_argument`, `closed` or `internal`; the comments list further errors. "The news client's errors"
 * are the answers and network failures in `ErrorCode`. Unless a name says otherwise, numbers with the suffix `Ms` are
 * milliseconds since 1970 and texts with the suffix `At` are RFC 3339. Every text, number and list is bounded; values that
 * several methods take are in `guards.ts`. The page imports only types of this module, so that it goes without zod.
 */
const METHODS = {
  'app.capabilities': host({}).returns<Capabilities>(),

  /** Errors: `invalid_argument` for a cursor of another query. */
  'items.page': read({
    query: itemsQuery,
    cursor: z.string().max(200).exactOptional(),
    limit: z.int().min(1).max(500),
  }).returns<ItemsPage>(),
  /**
   * The places of a list, newest first: the first `limit` of those below a place, or of all. They are for `items.rows`, and
   * stay valid when the list changes.
   */
  'items.places': read({
    query: itemsQuery,
    below: place.exactOptional(),
    limit: z.int().min(1).max(20_000),
  }).returns<ItemPlaces>(),
  /**
   * The rows at places of a list, in that order; null where nothing is saved any more. A row that no longer matches the
   * query is returned all the same. `ids` are the items that were at these places before, so that an item whose time was
   * corrected is found at its new place.
   */
  'items.rows': read({
    query: itemsQuery,
    places: z.array(place).min(1).max(200),
    ids: z.array(itemId).max(200).exactOptional(),
  }).returns<{ rows: (ItemRow | null)[] }>(),
  /**
   * A part of a list as a file, newest first: the first `limit` items below a cursor. `items.exportFrame` has what stands
   * around the parts; `updatedAt` is that of the latest part. Errors: `invalid_argument` for a cursor of another query.
   */
  'items.export': read({
    query: itemsQuery,
    format: z.enum(ITEM_EXPORT_FORMATS),
    cursor: z.string().max(200).exactOptional(),
    limit: z.int().min(1).max(200),
  }).returns<ExportPart>(),
  'items.exportFrame': read({
    query: itemsQuery,
    format: z.enum(ITEM_EXPORT_FORMATS),
    updatedAt: time.exactOptional(),
  }).returns<ExportFrame>(),
  /** Number of saved items that match the query. Results of a search are counted up to 1,000. */
  'items.count': read({ query: itemsQuery }).returns<ItemsCount>(),
  /** Errors: `not_found`. */
  'items.get': read({ id: itemId }).returns<StoredItem>(),
  /** When the service withdrew an item that is not saved (RFC 3339); null for one that is saved or was never known. */
  'items.withdrawal': read({ id: itemId }).returns<{ withdrawnAt: string | null }>(),
  /** The items of its story for which a row of this list stands, itself too, newest first. Empty without a story. */
  'items.folded': read({ query: itemsQuery, id: itemId }).returns<{ rows: ItemRow[] }>(),
  /** What an item belongs to: nothing, for one that is not saved. */
  'items.context': read({ id: itemId }).returns<ItemContext>(),
  /**
   * Sets the status of items. Ids that are not saved are accepted, because a status outlives its item. `bulk` makes it the
   * last bulk action, which stays undoable until the next one.
   */
  'items.mark': engine({
    ids: z.array(itemId).min(1).max(1000),
    mark: z.enum(['read', 'unread', 'star', 'unstar']),
    bulk: z.literal(true).exactOptional(),
  }).returns<ActionReceipt>(),
  /**
   * Marks all matching items as read, those that are folded too, except those that arrived after `watermark` (see
   * {@link ItemsPage}); only those above a place of the list, or below one, if it is given.
   */
  'items.markAllRead': engine({
    query: itemsQuery,
    watermark: sequence,
    above: place.exactOptional(),
    below: place.exactOptional(),
  }).returns<ActionReceipt>(),
  /** Errors: `not_found` if the action is no longer in the undo list. */
  'items.undoMark': engine({ undo: z.string().min(1).max(100) }).returns<{ restored: number }>(),

  'counts.get': read({}).returns<Counts>(),

  'saved.list': read({}).returns<SavedSearches>(),
  /**
   * Saves a search as a view. With `was`, one that was removed returns under its id, where it stood. Errors:
   * `invalid_argument` for a name in use, a query that can't be used as a view, and the 51st.
   */
  'saved.add': engine({
    name: ruleName,
    query: ruleQuery,
    notify: z.boolean().exactOptional(),
    was: z.strictObject({ id: ruleId, position: z.int().min(0).max(1_000_000) }).exactOptional(),
  }).returns<SavedSearches & { id: string }>(),
  /** Errors: `not_found`, and those of `saved.add`. */
  'saved.change': engine({
    id: ruleId,
    name: ruleName.exactOptional(),
    query: ruleQuery.exactOptional(),
    notify: z.boolean().exactOptional(),
  }).returns<SavedSearches>(),
  /** Puts a saved search at place `to` of the order, from 0; a place beyond the end is the end. Errors: `not_found`. */
  'saved.move': engine({ id: ruleId, to: z.int().min(0).max(1_000) }).returns<SavedSearches>(),
  'saved.remove': engine({ id: ruleId }).returns<SavedSearches>(),

  'mutes.list': read({}).returns<MuteRules>(),
  /**
   * Hides what a query matches; saved items follow in the background. A rule with the same query is not added again. With
   * `was`, one that was removed returns under its id. Errors: `invalid_argument` for a query that can't be used, and for the
   * 501st rule.
   */
  'mutes.add': engine({ query: ruleQuery, was: ruleId.exactOptional() }).returns<
    MuteRules & { id: string; added: boolean }
  >(),
  'mutes.remove': engine({ id: ruleId }).returns<MuteRules>(),

  /**
   * Searches what is saved, of the kinds in `in` or of all, for up to `limit` hits of each kind. `text` is in the query
   * language (docs/decisions/080); an empty one finds nothing, but makes the next search quick. With `since`, in ms since
   * 1970, finds only what has a time (`at`) from then on.
   */
  'search.find': read(search).returns<SearchResults>(),
  /** Completions at `at` (UTF-16 units) of a query. */
  'search.suggest': read(searchSuggestions).returns<{ suggestions: SearchSuggestion[] }>(),

  'sync.status': engine({}).returns<SyncStatus>(),
  /**
   * Syncs all resources or those named. `due` fetches what the schedule says is due, `permitted` whatever has outlived
   * its cache lifetime (a manual refresh), `now` everything. A Retry-After always applies; resources that were not
   * fetched report `notDue`. Failures of a service are in the result, not in the reply.
   */
  'sync.run': engine({
    urgency: z.enum(['due', 'permitted', 'now', 'all']),
    resources: resources.exactOptional(),
  }).returns<SyncResult>(),

  'settings.get': host({}).returns<Settings>(),
  /**
   * Changes the given settings only. A new service address takes effect at once. Errors: `disk_full`, `data_read_only`,
   * `data_newer`.
   */
  'settings.set': host({ patch: settingsPatch }).returns<Settings>(),
  /** Checks that a news service answers at an address; `items` counts what it returned. Errors: the news client's. */
  'source.test': engine({ address }).returns<{ items: number }>(),
  'source.get': host({}).returns<NewsSource>(),

  /** Notification history, newest first. */
  'notifications.list': read({ limit: z.int().min(1).max(500) }).returns<{ notifications: StoredNotification[] }>(),
  /**
   * Shows a notification through the system, and answers within ten seconds. On macOS, the first one asks the user for
   * permission. Errors: `not_supported` without the capability `notifications`.
   */
  'notifications.test': host({}).returns<NotificationTrial>(),

  /** Returns and clears the view that a deep link, a notification or the tray requested. Call it on `app.goTo`. */
  'app.takeTarget': host({}).returns<{ target: Target | null }>(),
  /** The place that `app.savePlace` saved last; null if none is known. */
  'app.lastPlace': host({}).returns<{ place: string | null }>(),
  /**
   * Saves where the reader is, for the next start: a text that only the page understands. Errors: `disk_full`,
   * `data_read_only`.
   */
  'app.savePlace': host({ place: z.string().max(16_000) }).returns<Nothing>(),
  /** The page shows its first content, as far as it is stored. A desktop then shows the window. */
  'app.painted': host({}).returns<Nothing>(),
  /** Opens a separate window. Errors: `not_supported` without the capability `windows`. */
  'app.openWindow': host({ target: windowTarget }).returns<Nothing>(),
  /** Reports an error in the page: logged, and listed once in data health. */
  'problems.report': host({ message: z.string().max(2000), trace: z.string().max(20_000) }).returns<Nothing>(),
  /** Clears the problems listed in data health. */
  'problems.dismiss': host({}).returns<Nothing>(),
  /**
   * Checks for a newer version; null if this is the newest. Errors: `not_supported` without the capability `updates`;
   * network failures.
   */
  'updates.check': host({}).returns<{ newest: string | null }>(),

  /** Through which folder this machine shares its marks with others (docs/decisions/131). */
  'marksFolder.get': engine({}).returns<MarksFolder>(),
  /** Has the reader choose such a folder; null if none was chosen. Nothing is changed. Errors: `not_supported`. */
  'marksFolder.choose': host({}).returns<{ folder: string | null }>(),
  /**
   * Shares marks through a folder that the reader syncs; `folder` is an absolute path. With a passphrase, what this machine
   * writes is encrypted, with null it is not, and without either it stays as it was; so does whether settings are shared.
   * Errors: `invalid_argument` if it is no folder, or in the data folder, or if the passphrase is wrong or missing;
   * `data_read_only`, `disk_full`.
   */
  'marksFolder.set': host({
    folder: z.string().min(1).max(4096),
    passphrase: z.string().min(SHORTEST_PASSPHRASE).max(LONGEST_PASSPHRASE).nullable().exactOptional(),
    settings: z.boolean().exactOptional(),
  }).returns<MarksFolder>(),
  /** Shares no more. Marks stay where they are; the keys of a passphrase are forgotten. */
  'marksFolder.off': host({}).returns<MarksFolder>(),
  /**
   * Removes a machine's files from the folder; its marks stay. Errors: `not_found`, `invalid_argument` for this machine,
   * `data_unreadable`.
   */
  'marksFolder.remove': engine({ machine: machineId }).returns<MarksFolder>(),
  /** Compares marks and folder now. A failure is in the result. */
  'marksFolder.compare': engine({}).returns<MarksFolder>(),

  /** User data and settings as the text of an export file (docs/user-data.md), with a suggested file name. */
  'data.export': read({}).returns<{ name: string; text: string }>(),
  /**
   * Merges an export file into the user data. Where they differ, settings, aliases and workloads of the file win.
   * Errors: `invalid_argument`, `data_newer`, `disk_full`, `data_read_only`.
   */
  'data.import': host({ text: z.string().max(LONGEST_USER_DATA) }).returns<ImportResult>(),
  /** Backups of user.db, newest first. */
  'data.backups': host({}).returns<{ backups: Backup[] }>(),
  /**
   * Backs up user.db now and returns all backups. Errors: `disk_full`, `data_read_only`; `not_supported` if data is in
   * memory only.
   */
  'data.backUp': host({}).returns<{ backups: Backup[] }>(),
  /**
   * Replaces user.db with a backup; the replaced file is set aside. Errors: `not_found`, `data_unreadable`,
   * `data_newer`, and those of `data.backUp`.
   */
  'data.restore': host({ name: fileName }).returns<Nothing>(),
  /**
   * Ends one of `storageWarnings` of the sync status. `id` is its `setAsideAs`, else its `file`. The file that was set aside
   * stays. Errors: `not_found`, `data_read_only`.
   */
  'data.dismissWarning': engine({ id: fileName }).returns<Nothing>(),
  /** Deletes all downloaded news and fetches it again. User data and the model catalogue stay. */
  'data.rebuildMirror': host({}).returns<Nothing>(),
  /** The downloaded news of services that were used before, last used first. */
  'data.parkedMirrors': host({}).returns<{ mirrors: ParkedMirror[] }>(),
  /** Deletes one of them and returns the others. User data stays. Errors: `not_found`, `data_read_only`. */
  'data.removeParkedMirror': engine({
    id: z
      .string()
      .max(16)
      .regex(/^[0-9a-f]{16}$/),
  }).returns<{ mirrors: ParkedMirror[] }>(),
  /** How an AI tool starts the MCP server for this data folder. `found`: whether this installation has the command. */
  'mcp.command': host({}).returns<{ command: string; args: string[]; found: boolean }>(),
  'data.folder': host({}).returns<{ folder: string }>(),
  /**
   * Shows the data folder in the system's file manager. Errors: `not_supported` without the capability `dataFolder`.
   */
  'data.showFolder': host({}).returns<Nothing>(),
  /**
   * Shows a folder picker. The chosen folder is used from the next start; null if the user cancels. Errors:
   * `not_supported` without the capability `dataFolder`; `invalid_argument` for a folder with other files,
   * `data_in_use`, `data_read_only`.
   */
  'data.chooseFolder': host({}).returns<{ folder: string | null }>(),

  /**
   * Pauses polling until `untilMs`; null pauses it until `sync.resume`. Errors: `invalid_argument` for a time more than ten
   * years ahead.
   */
  'sync.pause': engine({ untilMs: futureTime.nullable() }).returns<SyncStatus>(),
  'sync.resume': engine({}).returns<SyncStatus>(),
  /** Accepts the smaller answer that waits for the reader's decision, and applies it now. Without one nothing changes. */
  'sync.accept': engine({ resource: z.enum(ACCEPTABLE_RESOURCES) }).returns<SyncStatus>(),
  /**
   * Names the resource that the page shows, which is then fetched more often. Repeat the call at least every 20
   * minutes.
   */
  'sync.attend': engine({ to: z.enum(RESOURCES).nullable() }).returns<Nothing>(),

  'hotTopics.list': read({}).returns<HotTopics>(),

  /** Who published the saved items. `text` is a part of the name. */
  'sources.list': read({
    sort: z.enum(SOURCE_SORTS),
    text: z.string().max(200).exactOptional(),
    offset: z.int().min(0).max(1_000_000),
    limit: z.int().min(1).max(500),
  }).returns<SourceList>(),
  /** One source, by any of its names. Errors: `not_found`. */
  'sources.get': read({ name: sourceName }).returns<SourcePage>(),
  /** Saved items over time: what came, from whom, what is read, and who was first with stories. */
  'statistics.get': read({ days: z.literal(STATISTICS_DAYS) }).returns<Statistics>(),

  'stories.list': read({ which: z.enum(['all', 'hot', 'followed', 'starred']) }).returns<{ stories: StoryLine[] }>(),
  /** A saved story, or the one it was merged into. Errors: `not_found`. */
  'stories.get': read({ publicId: storyId }).returns<StoredStory>(),
  /**
   * Like `stories.get`, but fetches the story first if its lifetime is over, and marks its updates as seen. Only ids
   * that came from the service are fetched. If the fetch fails, the saved story is returned. Errors: `not_found`; the
   * news client's if nothing is saved.
   */
  'stories.open': engine({ publicId: storyId }).returns<StoredStory>(),
  'stories.follow': engine({ publicId: storyId, follow: z.boolean() }).returns<Nothing>(),
  'stories.star': engine({ publicId: storyId, star: z.boolean() }).returns<Nothing>(),

  /** All reports of a kind that are known, newest first. */
  'reports.index': read({ kind: z.enum(REPORT_KINDS) }).returns<{ lines: ReportLine[] }>(),
  /** A saved report. Errors: `not_found`. */
  'reports.get': read(report).returns<StoredReport>(),
  /**
   * Like `reports.get`, but fetches the report first if its lifetime is over. Only labels that came from the service
   * are fetched. Errors: `not_found`; the news client's if nothing is saved.
   */
  'reports.open': engine(report).returns<StoredReport>(),
  'reports.mark': engine({ ...report.shape, read: z.boolean() }).returns<Nothing>(),
  'reports.markCitation': engine({ key: z.string().min(1).max(4096), read: z.boolean() }).returns<Nothing>(),
  'reports.markCitations': engine({
    keys: z.array(z.string().min(1).max(4096)).min(1).max(500),
    read: z.boolean(),
  }).returns<Nothing>(),
  /** A report as a file: suggested name, media type and text. Errors: `not_found`. */
  'reports.render': read({ ...report.shape, format: z.enum(['md', 'html', 'json']) }).returns<{
    name: string;
    mediaType: string;
    text: string;
  }>(),

  /**
   * The text of reports as entries of one Atom feed, in the order of `labels`. Those that are not saved are left out and
   * counted. `reports.feedFrame` has what stands around them; `month` (YYYY-MM) names a feed of one month.
   */
  'reports.feed': read({ kind: z.enum(REPORT_KINDS), labels: reportLabels(MOST_REPORTS_IN_PART) }).returns<
    Omit<ExportPart, 'next'>
  >(),
  'reports.feedFrame': read({
    kind: z.enum(REPORT_KINDS),
    month: month.exactOptional(),
    updatedAt: time.exactOptional(),
  }).returns<ExportFrame>(),
  /**
   * Reports as one e-book (EPUB 3), oldest first; `month` (YYYY-MM) names a book of one month. Errors: `not_found` for a
   * report that is not saved, `too_large` for more text than an e-reader opens.
   */
  'reports.book': read({
    kind: z.enum(REPORT_KINDS),
    labels: reportLabels(MOST_REPORTS_IN_BOOK),
    month: month.exactOptional(),
  }).returns<{ name: string; mediaType: string; base64: string }>(),

  /**
   * The reader's note about an item, a story or a report, and the name of the news service that it belongs to: give it to
   * `notes.set`, so that a note that is being written doesn't land in another service.
   */
  'notes.get': read(noteKey({})).returns<{ note: Note | null; service: string }>(),
  'notes.keys': read({}).returns<{ keys: NoteKey[] }>(),
  /** Notes of this service, the one that was changed last first. */
  'notes.list': read({ limit: z.int().min(1).max(500), offset: z.int().min(0).max(MOST_NOTES) }).returns<{
    notes: NoteLine[];
    total: number;
  }>(),
  /**
   * Saves a note in plain text, whether or not its subject is saved; a text of white space only removes it. Errors: `invalid_argument` if there is no room for more notes, `disk_full`, `data_read_only`.
   */
  'notes.set': engine(noteKey({ text: z.string().max(LONGEST_NOTE), service: serviceName.exactOptional() })).returns<{
    note: Note | null;
  }>(),
  /** Removes a note and returns it; null if there was none. */
  'notes.remove': engine(noteKey({ service: serviceName.exactOptional() })).returns<{ removed: Note | null }>(),

  /** The content of the front page, which is bounded, whatever is saved. */
  'today.get': read({}).returns<Today>(),

  'visits.sinceLast': read({}).returns<SinceLastVisit>(),
  /**
   * The rows behind one count of {@link SinceLastVisit}, newest first: of everything, or of the selected set. Withdrawn
   * items have no texts and are in both.
   */
  'visits.list': read({ which: z.enum(VISIT_LISTS), scope: z.enum(['selected', 'all']).exactOptional() }).returns<{
    rows: ItemRow[];
    withdrawals: Withdrawal[];
  }>(),
  /** Ends the visit: later counts start here. */
  'visits.end': engine({}).returns<SinceLastVisit>(),
  'items.revisions': read({ id: itemId }).returns<{ revisions: Revision[] }>(),
  /**
   * Searches the news service (document 1 section 4.1). `restarted` means that the cursor had expired and this is the
   * first page again. Errors: `invalid_argument`, `rate_limited` while a Retry-After applies, and the news client's.
   */
  'items.searchOnline': engine({ request: onlineSearch, cursor: z.string().min(1).max(4096).exactOptional() }).returns<{
    items: OnlineResult[];
    next: string | null;
    restarted: boolean;
  }>(),

  /** A whole model list in the gateway's order. `fetchedAt` is null until its first sync. */
  'models.list': read({ modelList }).returns<{ lines: ModelLine[]; fetchedAt: string | null }>(),
  /** Errors: `not_found`. */
  'models.get': read({ modelList, id: modelId }).returns<StoredModel>(),
  /** Changes between syncs, newest first; of one model if `model` is given. */
  'models.changes': read({
    limit: z.int().min(1).max(1000),
    model: z.strictObject({ modelList, id: modelId }).exactOptional(),
  }).returns<{ refreshes: ModelRefresh[] }>(),
  /** Saved items that appear to mention a model, newest first. */
  'models.news': read({ id: modelId, limit: z.int().min(1).max(500) }).returns<{ rows: ItemRow[] }>(),
  'models.favourite': engine({ id: modelId, favourite: z.boolean() }).returns<Nothing>(),
  /**
   * Replaces the user's aliases of a model. Errors: `invalid_argument` for a name that belongs to another model.
   */
  'models.setAliases': engine({
    id: modelId,
    aliases: z.array(z.string().trim().min(2).max(80)).max(20),
  }).returns<Nothing>(),
  'workloads.list': read({}).returns<{ workloads: Workload[] }>(),
  /**
   * Adds a workload, or updates the one with its id. Errors: `invalid_argument` for a name in use and for more than 100
   * workloads, `not_found` for an unknown id.
   */
  'workloads.save': engine({ workload }).returns<{ workloads: Workload[] }>(),
  'workloads.remove': engine({ id: rowId }).returns<{ workloads: Workload[] }>(),

  'gateway.get': host({}).returns<Gateway>(),
  /**
   * Checks that a gateway answers at an address: the number of embedding models it lists without a key; null if it
   * requires one. Errors: the gateway client's.
   */
  'gateway.test': engine({ address }).returns<{ embeddings: number | null }>(),
  /**
   * Tests a key with the configured gateway and saves it unless the gateway rejects it. Errors: `not_found` without a
   * gateway, `not_supported` for the built-in one, `aborted` if key or gateway changed during the test, `disk_full`,
   * `data_read_only`.
   */
  'gateway.setKey': host({ key }).returns<KeyTrial>(),
  /** Allows the saved key for the gateway that is configured now. Errors: those of `gateway.setKey`. */
  'gateway.allowKey': host({}).returns<KeyTrial>(),
  'gateway.removeKey': host({}).returns<Gateway>(),

  'health.get': host({}).returns<SyncHealth>(),
  'health.check': host({}).returns<SyncHealth>(),

  /**
   * The service's guide for agents (`GET /api/v1/agent`, document 1 section 4.7), revalidated when its lifetime is
   * over. Errors: the news client's, if nothing is saved.
   */
  'guide.open': engine({}).returns<GuidePage>(),

  /**
   * Saves the page as a PDF file, as it would be printed, where the user chooses; `name` is the suggested file name.
   * `saved` is false if the user cancels. Errors: `not_supported` without the capability `pdf`; `disk_full`,
   * `data_read_only`.
   */
  'page.savePdf': host({ name: fileName }).returns<{ saved: boolean }>(),

  /** Opens an http or https address in the user's browser. Errors: `link_refused` for any other. */
  'links.open': host({ url: z.string().max(8192) }).returns<Nothing>(),
};

export type MethodName = keyof typeof METHODS;
export type Args<M extends MethodName> = z.infer<(typeof METHODS)[M]['guard']>;
export type Result<M extends MethodName> = Exclude<(typeof METHODS)[M]['result'], undefined>;

/** The result of every call. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: Failure };

export type MethodsOf<K extends Kind> = {
  [M in MethodName]: (typeof METHODS)[M]['kind'] extends K ? M : never;
}[MethodName];

/** Implementations of the given methods. Arguments are already validated; a thrown error becomes a `Failure`. */
export type Bodies<M extends MethodName> = { [Name in M]: (args: Args<Name>) => Promise<Result<Name>> | Result<Name> };

export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

export function isOfKind<K extends Kind>(name: MethodName, kind: K): name is MethodsOf<K> {
  return METHODS[name].kind === kind;
}

export function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(METHODS, name);
}

/** The guard of a method's arguments. */
export function guardOf<M extends MethodName>(method: M): z.ZodType<Args<M>> {
  return METHODS[method].guard as z.ZodType as z.ZodType<Args<M>>;
}

/** The most that a message quotes of an argument's name or of what is wrong with it, in UTF-16 units. */
const MOST_QUOTED = 120;

/** Validates the arguments of a method. Errors: `invalid_argument`, naming the invalid argument. */
export function checkArgs<M extends MethodName>(method: M, args: unknown): Args<M> {
  const checked = guardOf(method).safeParse(args);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = cut(issue?.path.join('.') || 'arguments');
  throw new BroadsheetError('invalid_argument', `${method}: ${where}: ${cut(issue?.message ?? 'is invalid')}`);
}

/** Names of arguments are texts of a caller, and may be of any length. */
function cut(text: string): string {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED).toWellFormed()}…` : text;
}
