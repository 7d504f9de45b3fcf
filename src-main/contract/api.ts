import type { Failure } from './errors.ts';
import type {
  Capabilities,
  Counts,
  ItemsPage,
  ItemsQuery,
  Mark,
  MarkReceipt,
  NewsSource,
  ResourceName,
  Settings,
  StoredItem,
  SyncReport,
  SyncRun,
  SyncStatus,
} from './model.ts';

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
  'items.mark': Method<{ ids: string[]; mark: Mark }, MarkReceipt>;
  /** Marks what the query matches, save what arrived after `watermark`. */
  'items.markAllRead': Method<{ query: ItemsQuery; watermark: number }, MarkReceipt>;
  /** Errors: `not_found` when the action is too long ago. */
  'items.undoMark': Method<{ undo: string }, { restored: number }>;

  'counts.get': Method<Nothing, Counts>;

  'sync.status': Method<Nothing, SyncStatus>;
  /**
   * One round, of all resources or those named. `due` asks for what the clock says is due, `permitted` for everything whose
   * cached answer has outlived its lifetime (a reader's refresh), `now` for everything. None asks before a Retry-After has
   * passed; what was not asked reports `notDue`. Failures of the service are in the report, not in the reply.
   */
  'sync.run': Method<{ urgency: 'due' | 'permitted' | 'now'; resources?: ResourceName[] }, SyncReport>;

  /** What the latest runs of a resource did, newest first; the newest 200 are kept. `limit` 1 to 200. */
  'sync.runs': Method<{ resource: ResourceName; limit: number }, { runs: SyncRun[] }>;

  'settings.get': Method<Nothing, Settings>;
  /** Changes what is given, keeps the rest; a new service address takes effect at once. */
  'settings.set': Method<{ patch: Partial<Settings> }, Settings>;
  /** Whether a news service answers at an address. Errors: as the client's. */
  'source.test': Method<{ address: string }, { items: number }>;
  'source.get': Method<Nothing, NewsSource>;

  /** Opens an http or https address in the user's browser. Errors: `link_refused`. */
  'links.open': Method<{ url: string }, Nothing>;
}

export type MethodName = keyof Api;
export type Args<M extends MethodName> = Api[M]['args'];
export type Result<M extends MethodName> = Api[M]['result'];

/** How every call ends. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: Failure };
