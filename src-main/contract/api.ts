import type { Failure } from './errors.ts';
import type { ReportKind, ReportLine, StoredReport } from './model/report.ts';
import type { Gateway, KeyTrial } from './model/gateway.ts';
import type { HotTopics } from './model/hot-topic.ts';
import type { Capabilities } from './model/capabilities.ts';
import type { Counts } from './model/counts.ts';
import type { ItemRow, ItemsPage, ItemsQuery, ItemAction, ActionReceipt, StoredItem } from './model/item.ts';
import type { ModelListName, ResourceName } from './model/resource.ts';
import type { NewsSource, SyncResult, SyncStatus } from './model/sync-status.ts';
import type { Settings } from './settings.ts';
import type { ModelRefresh, ModelLine, StoredModel, Workload } from './model/model.ts';
import type { StoredNotification } from './model/notification.ts';
import type { StoredStory, StoryLine } from './model/story.ts';
import type { Target, WindowTarget } from './targets.ts';
import type { Backup, ImportResult } from './user-data.ts';
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

/** Arguments of a method that takes none. */
export type Nothing = Record<string, never>;

/**
 * The whole interface between the page and the core, written once. Every method is asynchronous, takes one object
 * and answers with a {@link Reply}; the guards of `guards.ts` look at its arguments before a handler does.
 */
export interface Api {
  'app.capabilities': Method<Nothing, Capabilities>;

  /** `limit` 1 to 500. Errors: `invalid_argument` for a cursor that this query did not give. */
  'items.page': Method<{ query: ItemsQuery; cursor?: string; limit: number }, ItemsPage>;
  /** How many stored items the query matches. */
  'items.count': Method<{ query: ItemsQuery }, { count: number }>;
  /** Errors: `not_found`. */
  'items.get': Method<{ id: string }, StoredItem>;
  /** Up to 1,000 ids; ids that are not stored are marked too, for the state outlives the item. */
  'items.mark': Method<{ ids: string[]; mark: ItemAction }, ActionReceipt>;
  /** Marks what the query matches, save what arrived after `watermark`. */
  'items.markAllRead': Method<{ query: ItemsQuery; watermark: number }, ActionReceipt>;
  /** Errors: `not_found` when the action is too long ago. */
  'items.undoMark': Method<{ undo: string }, { restored: number }>;

  'counts.get': Method<Nothing, Counts>;

  'sync.status': Method<Nothing, SyncStatus>;
  /**
   * One round, of all resources or those named. `due` asks for what the clock says is due, `permitted` for everything whose
   * cached answer has outlived its lifetime (a reader's refresh), `now` for everything. None asks before a Retry-After has
   * passed; what was not asked reports `notDue`. Failures of the service are in the report, not in the reply.
   */
  'sync.run': Method<{ urgency: 'due' | 'permitted' | 'now'; resources?: ResourceName[] }, SyncResult>;

  'settings.get': Method<Nothing, Settings>;
  /** Changes what is given, keeps the rest; a new service address takes effect at once. */
  'settings.set': Method<{ patch: Partial<Settings> }, Settings>;
  /** Whether a news service answers at an address. Errors: as the client's. */
  'source.test': Method<{ address: string }, { items: number }>;
  'source.get': Method<Nothing, NewsSource>;

  /** The history of notifications, newest first. */
  'notifications.list': Method<{ limit: number }, { notifications: StoredNotification[] }>;

  /** Where a deep link, a click on a notification or the tray wants the page to go; asked for after `app.goTo`, and taken. */
  'app.takeTarget': Method<Nothing, { target: Target | null }>;
  /** Opens a window of its own. Errors: `not_supported` where `windows` is no capability. */
  'app.openWindow': Method<{ target: WindowTarget }, Nothing>;
  /** A defect of the page: goes into the log, and into data health once. */
  'problems.report': Method<{ message: string; trace: string }, Nothing>;
  /** The reader has seen the problems that data health shows. */
  'problems.dismiss': Method<Nothing, Nothing>;
  /** Looks for a newer version. Errors: `not_supported` where `updates` is no capability; as a client's. */
  'updates.check': Method<Nothing, { newest: string | null }>;

  /** All that the reader did and chose, as the text of a file (docs/user-data.md). */
  'data.export': Method<Nothing, { name: string; text: string }>;
  /**
   * Takes in such a file: what is here stays, and what is in the file comes to it; of settings, aliases and workloads the
   * file's hold. Errors: `invalid_argument`, `data_newer`, `disk_full`, `data_read_only`.
   */
  'data.import': Method<{ text: string }, ImportResult>;
  /** Newest first. */
  'data.backups': Method<Nothing, { backups: Backup[] }>;
  /** Copies user.db now. Errors: `disk_full`, `data_read_only`; `not_supported` where everything is in memory. */
  'data.backUp': Method<Nothing, { backups: Backup[] }>;
  /**
   * Puts a backup in the place of user.db, which is set aside. Errors: `not_found`, `data_unreadable`, `data_newer`, and as
   * those of making one.
   */
  'data.restore': Method<{ name: string }, Nothing>;
  /** Throws away what the news service said and fetches it anew; what the reader did stays, and the catalogue. */
  'data.rebuildMirror': Method<Nothing, Nothing>;
  'data.folder': Method<Nothing, { folder: string }>;
  /** Shows the data folder in the system's file manager. Errors: `not_supported`. */
  'data.showFolder': Method<Nothing, Nothing>;
  /** Asks for another data folder, which holds from the next start on; null where the reader wants none. Errors: `not_supported`. */
  'data.chooseFolder': Method<Nothing, { folder: string | null }>;

  /** Stops polling until `untilMs` (ms since 1970), or until it is resumed where that is null. */
  'sync.pause': Method<{ untilMs: number | null }, SyncStatus>;
  'sync.resume': Method<Nothing, SyncStatus>;
  /** What the page shows now: what is looked at is asked for more often. Good for 20 minutes, so say it again by then. */
  'sync.attend': Method<{ to: ResourceName | null }, Nothing>;

  'hotTopics.list': Method<Nothing, HotTopics>;

  'stories.list': Method<{ which: 'all' | 'hot' | 'followed' | 'starred' }, { stories: StoryLine[] }>;
  /** What is stored of a story, or of the one that it was merged into. Errors: `not_found`. */
  'stories.get': Method<{ publicId: string }, StoredStory>;
  /**
   * Asks for a story where its lifetime has run out, and counts as a look at it. Only ids that the service gave are asked
   * for; where it cannot be reached the stored one is the answer. Errors: `not_found`, and as the client's.
   */
  'stories.open': Method<{ publicId: string }, StoredStory>;
  'stories.follow': Method<{ publicId: string; follow: boolean }, Nothing>;
  'stories.star': Method<{ publicId: string; star: boolean }, Nothing>;

  /** Newest first. */
  'reports.index': Method<{ kind: ReportKind }, { lines: ReportLine[] }>;
  /** What is stored of a report. Errors: `not_found`. */
  'reports.get': Method<{ kind: ReportKind; label: string }, StoredReport>;
  /** As `stories.open`: only labels that an index gave are asked for. */
  'reports.open': Method<{ kind: ReportKind; label: string }, StoredReport>;
  'reports.mark': Method<{ kind: ReportKind; label: string; read: boolean }, Nothing>;
  'reports.markCitation': Method<{ key: string; read: boolean }, Nothing>;
  /** A report as a file's text. Errors: `not_found`. */
  'reports.render': Method<
    { kind: ReportKind; label: string; format: 'md' | 'html' | 'json' },
    { name: string; mediaType: string; text: string }
  >;

  'visits.sinceLast': Method<Nothing, SinceLastVisit>;
  /** What a number of the caught-up line opens, newest first. Withdrawn items are facts without texts. */
  'visits.list': Method<{ which: VisitList }, { rows: ItemRow[]; withdrawals: Withdrawal[] }>;
  /** The reader has caught up: the next line counts from here. */
  'visits.end': Method<Nothing, SinceLastVisit>;
  'items.revisions': Method<{ id: string }, { revisions: Revision[] }>;
  /**
   * Asks the service itself (document 1 section 4.1). `restarted`: the place to go on from was gone, and this is the first
   * page again. Errors: `invalid_argument`, and as the client's.
   */
  'items.searchOnline': Method<
    { request: OnlineSearch; cursor?: string },
    { items: OnlineResult[]; next: string | null; restarted: boolean }
  >;

  /** A whole model list, in the gateway's order. `fetchedAt` (RFC 3339) is null until it was fetched once. */
  'models.list': Method<{ modelList: ModelListName }, { lines: ModelLine[]; fetchedAt: string | null }>;
  /** Errors: `not_found`. */
  'models.get': Method<{ modelList: ModelListName; id: string }, StoredModel>;
  /** The change log, newest first; with a model named, what of it is that model's. */
  'models.changes': Method<
    { limit: number; model?: { modelList: ModelListName; id: string } },
    { refreshes: ModelRefresh[] }
  >;
  /** Stored items whose texts seem to name a model, newest first. */
  'models.news': Method<{ id: string; limit: number }, { rows: ItemRow[] }>;
  'models.favourite': Method<{ id: string; favourite: boolean }, Nothing>;
  /** Replaces what else a model is called. Errors: `invalid_argument` for a word that another model has. */
  'models.setAliases': Method<{ id: string; aliases: string[] }, Nothing>;
  'workloads.list': Method<Nothing, { workloads: Workload[] }>;
  /**
   * Adds a workload, or changes the one of its id. Errors: `invalid_argument` for a name that another one has, `not_found` for
   * an id that none has.
   */
  'workloads.save': Method<{ workload: Workload }, { workloads: Workload[] }>;
  'workloads.remove': Method<{ id: number }, { workloads: Workload[] }>;

  'gateway.get': Method<Nothing, Gateway>;
  /** Whether a gateway answers at an address: how many embeddings models it lists without a key. Errors: as the client's. */
  'gateway.test': Method<{ address: string }, { embeddings: number | null }>;
  /**
   * Tries a key with the configured gateway and keeps it, unless it is refused. Errors: `not_found` without a gateway,
   * `not_supported` for the built-in one, `aborted` where another word about key or gateway came first, `disk_full`,
   * `data_read_only`.
   */
  'gateway.setKey': Method<{ key: string }, KeyTrial>;
  /** The reader's word that the kept key may go to the gateway that is configured now. Errors: as those of setting it. */
  'gateway.allowKey': Method<Nothing, KeyTrial>;
  'gateway.removeKey': Method<Nothing, Gateway>;

  'health.get': Method<Nothing, SyncHealth>;
  'health.check': Method<Nothing, SyncHealth>;

  /** The service's guide for agents (`GET /api/v1/agent`): revalidated where its lifetime has run out. Errors: as the client's. */
  'guide.open': Method<Nothing, GuidePage>;

  /**
   * What the page shows, as it would be printed, as a PDF file where the user wants it; `name` is what the question begins with.
   * `saved` is false where the user wants none. Errors: `not_supported` where `pdf` is no capability; `disk_full`,
   * `data_read_only` for the place that the user chose.
   */
  'page.savePdf': Method<{ name: string }, { saved: boolean }>;

  /** Opens an http or https address in the user's browser. Errors: `link_refused`. */
  'links.open': Method<{ url: string }, Nothing>;
}

export type MethodName = keyof Api;
export type Args<M extends MethodName> = Api[M]['args'];
export type Result<M extends MethodName> = Api[M]['result'];

/** How every call ends. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: Failure };
