import type { Failure } from './errors.ts';
import type { ReportKind, ReportLine, StoredReport } from './model/report.ts';
import type { Gateway, KeyTrial } from './model/gateway.ts';
import type { ExportFrame, ExportPart, ItemExportFormat } from './model/export.ts';
import type { HotTopics } from './model/hot-topic.ts';
import type { Capabilities } from './model/capabilities.ts';
import type { Counts } from './model/counts.ts';
import type {
  ItemRow,
  ItemsCount,
  ItemPlaces,
  ItemContext,
  ItemsPage,
  ItemsQuery,
  ItemAction,
  ActionReceipt,
  StoredItem,
} from './model/item.ts';
import type { MarksFolder } from './model/marks-folder.ts';
import type { MuteRules, SavedSearches } from './model/rules.ts';
import type { AcceptableResource, ModelListName, ResourceName } from './model/resource.ts';
import type { SearchKind, SearchResults, SearchSuggestion } from './model/search.ts';
import type { NewsSource, SyncResult, SyncStatus } from './model/sync-status.ts';
import type { Settings } from './settings.ts';
import type { ModelRefresh, ModelLine, StoredModel, Workload } from './model/model.ts';
import type { Note, NoteKey, NoteLine } from './model/note.ts';
import type { NotificationTrial, StoredNotification } from './model/notification.ts';
import type { SourceList, SourcePage, SourceSort } from './model/source.ts';
import type { Statistics, StatisticsDays } from './model/statistics.ts';
import type { StoredStory, StoryLine } from './model/story.ts';
import type { Today } from './model/today.ts';
import type { Target, WindowTarget } from './targets.ts';
import type { Backup, ImportResult, ParkedMirror } from './user-data.ts';
import type {
  SinceLastVisit,
  SyncHealth,
  OnlineResult,
  GuidePage,
  OnlineSearch,
  Revision,
  VisitList,
  Withdrawal,
} from './model/visit.ts';

interface Method<Args, Result> {
  args: Args;
  result: Result;
}

/** Arguments of a method without arguments. */
export type Nothing = Record<string, never>;

/**
 * The whole API between page and core. Every method is asynchronous, takes one object and returns a {@link Reply};
 * `guards.ts` validates its arguments before the handler runs. Any method can fail with `invalid_argument`, `closed` or
 * `internal`; the comments list further errors. "The news client's errors" are the answers and network failures in
 * {@link ErrorCode}. Unless a name says otherwise, numbers with the suffix `Ms` are milliseconds since 1970 and texts
 * with the suffix `At` are RFC 3339.
 */
export interface Api {
  'app.capabilities': Method<Nothing, Capabilities>;

  /** `limit` is 1 to 500. Errors: `invalid_argument` for a cursor of another query. */
  'items.page': Method<{ query: ItemsQuery; cursor?: string; limit: number }, ItemsPage>;
  /**
   * The places of a list, newest first: the first `limit` (1 to 20,000) of those below a place, or of all. They are for
   * `items.rows`, and stay valid when the list changes.
   */
  'items.places': Method<{ query: ItemsQuery; below?: number; limit: number }, ItemPlaces>;
  /**
   * The rows at up to 200 places of a list, in the order of the places; null where nothing is saved any more. A row that no
   * longer matches the query is there all the same. `ids` are the items that were at these places before: an item whose
   * time was corrected is found although it has another place now.
   */
  'items.rows': Method<{ query: ItemsQuery; places: number[]; ids?: string[] }, { rows: (ItemRow | null)[] }>;
  /**
   * A part of a list as a file, newest first: the first `limit` (1 to 200) below a cursor. `items.exportFrame` has what stands
   * around the parts; `updatedAt` is that of the latest part. Errors: `invalid_argument` for a cursor of another query.
   */
  'items.export': Method<{ query: ItemsQuery; format: ItemExportFormat; cursor?: string; limit: number }, ExportPart>;
  'items.exportFrame': Method<{ query: ItemsQuery; format: ItemExportFormat; updatedAt?: string }, ExportFrame>;
  /** Number of saved items that match the query. Results of a search are counted up to 1,000. */
  'items.count': Method<{ query: ItemsQuery }, ItemsCount>;
  /** Errors: `not_found`. */
  'items.get': Method<{ id: string }, StoredItem>;
  /** When the service withdrew an item that is not saved (RFC 3339); null for one that is saved or was never known. */
  'items.withdrawal': Method<{ id: string }, { withdrawnAt: string | null }>;
  /** The items of its story for which a row of this list stands, itself too, newest first. Empty without a story. */
  'items.folded': Method<{ query: ItemsQuery; id: string }, { rows: ItemRow[] }>;
  /** What an item belongs to: nothing, for one that is not saved. */
  'items.context': Method<{ id: string }, ItemContext>;
  /**
   * Sets the status of up to 1,000 items. Ids that are not saved are accepted, because a status outlives its item. `bulk`
   * makes it the last bulk action, which stays undoable until the next one.
   */
  'items.mark': Method<{ ids: string[]; mark: ItemAction; bulk?: true }, ActionReceipt>;
  /** Marks all matching items as read, those that are folded too, except those that arrived after `watermark` (see {@link ItemsPage}); only those above a place of the list, or below one, if it is given. */
  'items.markAllRead': Method<{ query: ItemsQuery; watermark: number; above?: number; below?: number }, ActionReceipt>;
  /** Errors: `not_found` if the action is no longer in the undo list. */
  'items.undoMark': Method<{ undo: string }, { restored: number }>;

  'counts.get': Method<Nothing, Counts>;

  'saved.list': Method<Nothing, SavedSearches>;
  /**
   * Saves a search as a view. With `was`, one that was removed returns under its id, where it stood. Errors:
   * `invalid_argument` for a name in use, a query that can't be used as a view, and the 51st.
   */
  'saved.add': Method<
    { name: string; query: string; notify?: boolean; was?: { id: string; position: number } },
    SavedSearches & { id: string }
  >;
  /** Errors: `not_found`, and those of `saved.add`. */
  'saved.change': Method<{ id: string; name?: string; query?: string; notify?: boolean }, SavedSearches>;
  /** Puts a saved search at place `to` of the order, from 0; a place beyond the end is the end. Errors: `not_found`. */
  'saved.move': Method<{ id: string; to: number }, SavedSearches>;
  'saved.remove': Method<{ id: string }, SavedSearches>;

  'mutes.list': Method<Nothing, MuteRules>;
  /**
   * Hides what a query matches; saved items follow in the background. A rule with the same query is not added again. With
   * `was`, one that was removed returns under its id. Errors: `invalid_argument` for a query that can't be used, and for the
   * 501st rule.
   */
  'mutes.add': Method<{ query: string; was?: string }, MuteRules & { id: string; added: boolean }>;
  'mutes.remove': Method<{ id: string }, MuteRules>;

  /**
   * Searches what is saved, of the kinds in `in` or of all: `limit` is the most hits of each kind. `text` is in the query
   * language (docs/decisions/080); an empty one finds nothing, but makes the next search quick. With `since`, in ms since
   * 1970, only what has a time (`at`) from then on.
   */
  'search.find': Method<{ text: string; in?: SearchKind[]; limit: number; since?: number }, SearchResults>;
  /** What could be typed at place `at` (UTF-16 units) of a query. */
  'search.suggest': Method<{ text: string; at: number }, { suggestions: SearchSuggestion[] }>;

  'sync.status': Method<Nothing, SyncStatus>;
  /**
   * Syncs all resources or those named. `due` fetches what the schedule says is due, `permitted` whatever has outlived
   * its cache lifetime (a manual refresh), `now` everything. A Retry-After always applies; resources that were not
   * fetched report `notDue`. Failures of a service are in the result, not in the reply.
   */
  'sync.run': Method<{ urgency: 'due' | 'permitted' | 'now' | 'all'; resources?: ResourceName[] }, SyncResult>;

  'settings.get': Method<Nothing, Settings>;
  /**
   * Changes the given settings only. A new service address takes effect at once. Errors: `disk_full`, `data_read_only`,
   * `data_newer`.
   */
  'settings.set': Method<{ patch: Partial<Settings> }, Settings>;
  /** Checks that a news service answers at an address; `items` counts what it returned. Errors: the news client's. */
  'source.test': Method<{ address: string }, { items: number }>;
  'source.get': Method<Nothing, NewsSource>;

  /** Notification history, newest first. `limit` is 1 to 500. */
  'notifications.list': Method<{ limit: number }, { notifications: StoredNotification[] }>;
  /**
   * Shows a notification through the system, and answers within ten seconds. On macOS, the first one asks the user for
   * permission. Errors: `not_supported` without the capability `notifications`.
   */
  'notifications.test': Method<Nothing, NotificationTrial>;

  /** Returns and clears the view that a deep link, a notification or the tray requested. Call it on `app.goTo`. */
  'app.takeTarget': Method<Nothing, { target: Target | null }>;
  /** Where the reader was, as `app.savePlace` was told; null if that is not known. */
  'app.lastPlace': Method<Nothing, { place: string | null }>;
  /**
   * Saves where the reader is, for the next start: a text that only the page understands, of at most 16,000 UTF-16 units.
   * Errors: `disk_full`, `data_read_only`.
   */
  'app.savePlace': Method<{ place: string }, Nothing>;
  /** The page shows its first content, as far as it is stored. A desktop then shows the window. */
  'app.painted': Method<Nothing, Nothing>;
  /** Opens a separate window. Errors: `not_supported` without the capability `windows`. */
  'app.openWindow': Method<{ target: WindowTarget }, Nothing>;
  /** Reports an error in the page: logged, and listed once in data health. */
  'problems.report': Method<{ message: string; trace: string }, Nothing>;
  /** Clears the problems listed in data health. */
  'problems.dismiss': Method<Nothing, Nothing>;
  /**
   * Checks for a newer version; null if this is the newest. Errors: `not_supported` without the capability `updates`;
   * network failures.
   */
  'updates.check': Method<Nothing, { newest: string | null }>;

  /** Through which folder this machine shares its marks with others (docs/decisions/131). */
  'marksFolder.get': Method<Nothing, MarksFolder>;
  /** Has the reader choose such a folder; null if none was chosen. Nothing is changed. Errors: `not_supported`. */
  'marksFolder.choose': Method<Nothing, { folder: string | null }>;
  /**
   * Shares marks through a folder that the reader syncs; `folder` is an absolute path. With a passphrase, what this machine
   * writes is encrypted, with null it is not, and without either it stays as it was; so does whether settings are shared. Errors: `invalid_argument` if it is no
   * folder, or in the data folder, or if the passphrase is wrong or missing; `data_read_only`, `disk_full`.
   */
  'marksFolder.set': Method<{ folder: string; passphrase?: string | null; settings?: boolean }, MarksFolder>;
  /** Shares no more. Marks stay where they are; the keys of a passphrase are forgotten. */
  'marksFolder.off': Method<Nothing, MarksFolder>;
  /** Removes a machine's files from the folder; its marks stay. Errors: `not_found`, `invalid_argument` for this machine, `data_unreadable`. */
  'marksFolder.remove': Method<{ machine: string }, MarksFolder>;
  /** Compares marks and folder now. A failure is in the result. */
  'marksFolder.compare': Method<Nothing, MarksFolder>;

  /** User data and settings as the text of an export file (docs/user-data.md), with a suggested file name. */
  'data.export': Method<Nothing, { name: string; text: string }>;
  /**
   * Merges an export file into the user data. Where they differ, settings, aliases and workloads of the file win.
   * Errors: `invalid_argument`, `data_newer`, `disk_full`, `data_read_only`.
   */
  'data.import': Method<{ text: string }, ImportResult>;
  /** Backups of user.db, newest first. */
  'data.backups': Method<Nothing, { backups: Backup[] }>;
  /**
   * Backs up user.db now and returns all backups. Errors: `disk_full`, `data_read_only`; `not_supported` if data is in
   * memory only.
   */
  'data.backUp': Method<Nothing, { backups: Backup[] }>;
  /**
   * Replaces user.db with a backup; the replaced file is set aside. Errors: `not_found`, `data_unreadable`,
   * `data_newer`, and those of `data.backUp`.
   */
  'data.restore': Method<{ name: string }, Nothing>;
  /**
   * Ends one of `storageWarnings` of the sync status. `id` is its `setAsideAs`, else its `file`. The file that was set aside
   * stays. Errors: `not_found`, `data_read_only`.
   */
  'data.dismissWarning': Method<{ id: string }, Nothing>;
  /** Deletes all downloaded news and fetches it again. User data and the model catalogue stay. */
  'data.rebuildMirror': Method<Nothing, Nothing>;
  /** The downloaded news of services that were used before, last used first. */
  'data.parkedMirrors': Method<Nothing, { mirrors: ParkedMirror[] }>;
  /** Deletes one of them and returns the others. User data stays. Errors: `not_found`, `data_read_only`. */
  'data.removeParkedMirror': Method<{ id: string }, { mirrors: ParkedMirror[] }>;
  /** How an AI tool starts the MCP server for this data folder. `found`: whether this installation has the command. */
  'mcp.command': Method<Nothing, { command: string; args: string[]; found: boolean }>;
  'data.folder': Method<Nothing, { folder: string }>;
  /**
   * Shows the data folder in the system's file manager. Errors: `not_supported` without the capability `dataFolder`.
   */
  'data.showFolder': Method<Nothing, Nothing>;
  /**
   * Shows a folder picker. The chosen folder is used from the next start; null if the user cancels. Errors:
   * `not_supported` without the capability `dataFolder`; `invalid_argument` for a folder with other files,
   * `data_in_use`, `data_read_only`.
   */
  'data.chooseFolder': Method<Nothing, { folder: string | null }>;

  /**
   * Pauses polling until `untilMs`, which is at most ten years ahead; null pauses it until `sync.resume`. Errors:
   * `invalid_argument` for a later time.
   */
  'sync.pause': Method<{ untilMs: number | null }, SyncStatus>;
  'sync.resume': Method<Nothing, SyncStatus>;
  /** Accepts the smaller answer that waits for the reader's decision, and applies it now. Without one nothing changes. */
  'sync.accept': Method<{ resource: AcceptableResource }, SyncStatus>;
  /**
   * Names the resource that the page shows, which is then fetched more often. Repeat the call at least every 20
   * minutes.
   */
  'sync.attend': Method<{ to: ResourceName | null }, Nothing>;

  'hotTopics.list': Method<Nothing, HotTopics>;

  /** Who published the saved items, from `offset` on, at most `limit` (1 to 500). `text` is a part of the name. */
  'sources.list': Method<{ sort: SourceSort; text?: string; offset: number; limit: number }, SourceList>;
  /** One source, by any of its names. Errors: `not_found`. */
  'sources.get': Method<{ name: string }, SourcePage>;
  /** Saved items over time: what came, from whom, what is read, and who was first with stories. */
  'statistics.get': Method<{ days: StatisticsDays }, Statistics>;

  'stories.list': Method<{ which: 'all' | 'hot' | 'followed' | 'starred' }, { stories: StoryLine[] }>;
  /** A saved story, or the one it was merged into. Errors: `not_found`. */
  'stories.get': Method<{ publicId: string }, StoredStory>;
  /**
   * Like `stories.get`, but fetches the story first if its lifetime is over, and marks its updates as seen. Only ids
   * that came from the service are fetched. If the fetch fails, the saved story is returned. Errors: `not_found`; the
   * news client's if nothing is saved.
   */
  'stories.open': Method<{ publicId: string }, StoredStory>;
  'stories.follow': Method<{ publicId: string; follow: boolean }, Nothing>;
  'stories.star': Method<{ publicId: string; star: boolean }, Nothing>;

  /** All reports of a kind that are known, newest first. */
  'reports.index': Method<{ kind: ReportKind }, { lines: ReportLine[] }>;
  /** A saved report. Errors: `not_found`. */
  'reports.get': Method<{ kind: ReportKind; label: string }, StoredReport>;
  /**
   * Like `reports.get`, but fetches the report first if its lifetime is over. Only labels that came from the service
   * are fetched. Errors: `not_found`; the news client's if nothing is saved.
   */
  'reports.open': Method<{ kind: ReportKind; label: string }, StoredReport>;
  'reports.mark': Method<{ kind: ReportKind; label: string; read: boolean }, Nothing>;
  'reports.markCitation': Method<{ key: string; read: boolean }, Nothing>;
  /** The same for up to 500 stories at once. */
  'reports.markCitations': Method<{ keys: string[]; read: boolean }, Nothing>;
  /** A report as a file: suggested name, media type and text. Errors: `not_found`. */
  'reports.render': Method<
    { kind: ReportKind; label: string; format: 'md' | 'html' | 'json' },
    { name: string; mediaType: string; text: string }
  >;

  /**
   * The text of up to 20 reports as entries of one Atom feed, in the order of `labels`. Those that are not saved are left out
   * and counted. `reports.feedFrame` has what stands around them; `month` (YYYY-MM) names a feed of one month.
   */
  'reports.feed': Method<{ kind: ReportKind; labels: string[] }, Omit<ExportPart, 'next'>>;
  'reports.feedFrame': Method<{ kind: ReportKind; month?: string; updatedAt?: string }, ExportFrame>;
  /**
   * Up to 100 reports as one e-book (EPUB 3), oldest first; `month` (YYYY-MM) names a book of one month. Errors: `not_found`
   * for a report that is not saved, `too_large` for more text than an e-reader opens.
   */
  'reports.book': Method<
    { kind: ReportKind; labels: string[]; month?: string },
    { name: string; mediaType: string; base64: string }
  >;

  /**
   * The reader's note about an item, a story or a report, and the name of the news service that it belongs to: give it to
   * `notes.set`, so that a note that is being written doesn't land in another service.
   */
  'notes.get': Method<NoteKey, { note: Note | null; service: string }>;
  /** What there are notes about. */
  'notes.keys': Method<Nothing, { keys: NoteKey[] }>;
  /** Notes of this service, the one that was changed last first. `limit` is 1 to 500. */
  'notes.list': Method<{ limit: number; offset: number }, { notes: NoteLine[]; total: number }>;
  /**
   * Saves a note of up to 20,000 characters of plain text, whether or not its subject is saved; a text of white space only
   * removes it. Errors: `invalid_argument` if there is no room for more notes, `disk_full`, `data_read_only`.
   */
  'notes.set': Method<NoteKey & { text: string; service?: string }, { note: Note | null }>;
  /** Removes a note and returns it; null if there was none. */
  'notes.remove': Method<NoteKey & { service?: string }, { removed: Note | null }>;

  /** What the front page shows: a bounded answer, whatever is saved. */
  'today.get': Method<Nothing, Today>;

  'visits.sinceLast': Method<Nothing, SinceLastVisit>;
  /**
   * The rows behind one count of {@link SinceLastVisit}, newest first: of everything, or of the selected set. Withdrawn
   * items have no texts and are in both.
   */
  'visits.list': Method<
    { which: VisitList; scope?: ItemsQuery['scope'] },
    { rows: ItemRow[]; withdrawals: Withdrawal[] }
  >;
  /** Ends the visit: later counts start here. */
  'visits.end': Method<Nothing, SinceLastVisit>;
  'items.revisions': Method<{ id: string }, { revisions: Revision[] }>;
  /**
   * Searches the news service (document 1 section 4.1). `restarted` means that the cursor had expired and this is the
   * first page again. Errors: `invalid_argument`, `rate_limited` while a Retry-After applies, and the news client's.
   */
  'items.searchOnline': Method<
    { request: OnlineSearch; cursor?: string },
    { items: OnlineResult[]; next: string | null; restarted: boolean }
  >;

  /** A whole model list in the gateway's order. `fetchedAt` is null until its first sync. */
  'models.list': Method<{ modelList: ModelListName }, { lines: ModelLine[]; fetchedAt: string | null }>;
  /** Errors: `not_found`. */
  'models.get': Method<{ modelList: ModelListName; id: string }, StoredModel>;
  /** Changes between syncs, newest first; of one model if `model` is given. `limit` is 1 to 1,000. */
  'models.changes': Method<
    { limit: number; model?: { modelList: ModelListName; id: string } },
    { refreshes: ModelRefresh[] }
  >;
  /** Saved items that appear to mention a model, newest first. `limit` is 1 to 500. */
  'models.news': Method<{ id: string; limit: number }, { rows: ItemRow[] }>;
  'models.favourite': Method<{ id: string; favourite: boolean }, Nothing>;
  /**
   * Replaces the user's aliases of a model (up to 20). Errors: `invalid_argument` for a name that belongs to another
   * model.
   */
  'models.setAliases': Method<{ id: string; aliases: string[] }, Nothing>;
  'workloads.list': Method<Nothing, { workloads: Workload[] }>;
  /**
   * Adds a workload, or updates the one with its id. Errors: `invalid_argument` for a name in use and for more than 100
   * workloads, `not_found` for an unknown id.
   */
  'workloads.save': Method<{ workload: Workload }, { workloads: Workload[] }>;
  'workloads.remove': Method<{ id: number }, { workloads: Workload[] }>;

  'gateway.get': Method<Nothing, Gateway>;
  /**
   * Checks that a gateway answers at an address: the number of embedding models it lists without a key; null if it
   * requires one. Errors: the gateway client's.
   */
  'gateway.test': Method<{ address: string }, { embeddings: number | null }>;
  /**
   * Tests a key with the configured gateway and saves it unless the gateway rejects it. Errors: `not_found` without a
   * gateway, `not_supported` for the built-in one, `aborted` if key or gateway changed during the test, `disk_full`,
   * `data_read_only`.
   */
  'gateway.setKey': Method<{ key: string }, KeyTrial>;
  /** Allows the saved key for the gateway that is configured now. Errors: those of `gateway.setKey`. */
  'gateway.allowKey': Method<Nothing, KeyTrial>;
  'gateway.removeKey': Method<Nothing, Gateway>;

  'health.get': Method<Nothing, SyncHealth>;
  'health.check': Method<Nothing, SyncHealth>;

  /**
   * The service's guide for agents (`GET /api/v1/agent`, document 1 section 4.7), revalidated when its lifetime is
   * over. Errors: the news client's, if nothing is saved.
   */
  'guide.open': Method<Nothing, GuidePage>;

  /**
   * Saves the page as a PDF file, as it would be printed, where the user chooses; `name` is the suggested file name.
   * `saved` is false if the user cancels. Errors: `not_supported` without the capability `pdf`; `disk_full`,
   * `data_read_only`.
   */
  'page.savePdf': Method<{ name: string }, { saved: boolean }>;

  /** Opens an http or https address in the user's browser. Errors: `link_refused` for any other. */
  'links.open': Method<{ url: string }, Nothing>;
}

export type MethodName = keyof Api;
export type Args<M extends MethodName> = Api[M]['args'];
export type Result<M extends MethodName> = Api[M]['result'];

/** The result of every call. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: Failure };
