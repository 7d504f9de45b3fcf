import type { Json } from './json.ts';
import type { MentionedModel } from './model.ts';

/** The service's categories (document 1 section 4.1). Unknown ones are saved and shown as received. */
export const KNOWN_CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;

/**
 * A news item with the service's own field names (observed-1-fields). Times are RFC 3339 strings as received. Every text
 * is plain text, even if it looks like markup, Markdown or control characters.
 */
export interface Item {
  id: string;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  /** Includes members that the service may add later. */
  source: { name: string | null; [unknown: string]: Json };
  links: { original: string | null; aihot: string | null; [unknown: string]: Json };
  publishedAt: string | null;
  discoveredAt: string | null;
  category: string | null;
  /** 0 to 100. */
  score: number | null;
  /** The service's flag, as received. It doesn't decide membership of the selected set: see `inSelectedSet`. */
  selected: boolean | null;
  reason: string | null;
  attribution: { name: string | null; url: string | null; [unknown: string]: Json } | null;
  /** Undocumented fields as received. */
  extra: { [field: string]: Json };
}

/** Read and star state of an item. Times are RFC 3339, or null. */
export interface ItemStatus {
  readAt: string | null;
  starredAt: string | null;
}

export interface StoredItem extends Item {
  /**
   * The time by which lists sort, filter and show it (RFC 3339, to the second): its discovery, or its publication if it
   * was discovered more than 72 hours later.
   */
  effectiveAt: string;
  /** Whether the selected set (snapshot and changes) contains this item. */
  inSelectedSet: boolean;
  /** When it left the selected set while staying public; null if it never did, or is in it again. */
  leftSelectionAt: string | null;
  /**
   * When the service withdrew it; else null. Only lists of starred items contain such rows: with the id, the time and
   * the status, and without any text.
   */
  withdrawnAt: string | null;
  /** When a sync last found this item changed; null if never. */
  revisedAt: string | null;
  state: ItemStatus;
  /**
   * Catalogue models that its texts appear to mention, longest name first. Possible matches, computed when the item was
   * saved.
   */
  models: MentionedModel[];
}

/** A part of an item's text around a match. `ranges` are [start, end) UTF-16 offsets into `text`. */
export interface Snippet {
  field: 'title' | 'originalTitle' | 'summary' | 'source' | 'reason';
  text: string;
  ranges: [start: number, end: number][];
}

/** The other reports of a story for which a row stands, in its list. */
export interface FoldedReports {
  /** The story's public id and title. */
  story: string;
  title: string;
  count: number;
  unread: number;
}

/** A row of a list. `snippets` is empty unless the query has a text. */
export interface ItemRow extends StoredItem {
  snippets: Snippet[];
  /** Only in a list that folds stories. */
  folded?: FoldedReports;
  /** Only in a list of hidden items: what hides it. Empty for a moment after a rule was removed. */
  mutedBy?: HidingRule[];
}

/** A mute rule that hides an item. */
export interface HidingRule {
  id: string;
  query: string;
}

/** A story that an item is a report of. */
export interface ItemStory {
  publicId: string;
  title: string;
  /** As the service counts them; null if the story is not saved yet. */
  reportCount: number | null;
  followedAt: string | null;
  /** Since when the service no longer has the story (RFC 3339). */
  goneAt: string | null;
}

/** What an item belongs to. */
export interface ItemContext {
  /** Latest development first, five at most. */
  stories: ItemStory[];
  /** The ranked hot topic that is this item, or links to its story; null if there is none. `id` is the topic's. */
  topic: { id: string; rank: number } | null;
  /** The newest other items of its source, five at most. */
  sameSource: ItemRow[];
}

/** Which saved items a list shows. */
export interface ItemsQuery {
  scope: 'selected' | 'all';
  /** Age by `effectiveAt`. `any` means everything saved. */
  window: '24h' | '7d' | 'any';
  state: 'any' | 'unread' | 'starred';
  category?: string;
  /** The name of a source, as an item has it or as a row shows it: see `sourceKey`. */
  source?: string;
  /** Only what this saved search shows: its id. An unknown one shows nothing. */
  saved?: string;
  /** Only what mute rules hide. Without it, such items are in no list but that of starred items. */
  muted?: true;
  /**
   * Shows the newest item of a story for all of them: see {@link ItemRow.folded}. Without effect with a state, a source or
   * a text: those lists show every match.
   */
  foldStories?: true;
  /**
   * In the query language (docs/decisions/080): words in any script, searched in title, original title, summary, source and
   * reason; operators such as `source:` and `is:unread`; minus and OR.
   */
  text?: string;
}

export interface ItemsPage {
  /** Newest first. */
  rows: ItemRow[];
  /** The place of each row: see {@link ItemPlaces}. */
  places: number[];
  /** Cursor of the next page; null on the last one. Opaque, and valid for this query only. */
  next: string | null;
  /** State of the store when this page was read. Pass it to `items.markAllRead` so that later arrivals stay unread. */
  watermark: number;
}

/**
 * Where the rows of a list are, without the rows: so that a list knows its length, and any part of it can be read. A place
 * is an opaque number that stays with its item while that is saved; a list has them in descending order.
 */
export interface ItemPlaces {
  places: number[];
  /** Whether there are more below the last one. */
  more: boolean;
}

/** The number of rows of a list. */
export interface ItemsCount {
  count: number;
  /** So many more items are folded into these rows; left out if there are none. */
  folded?: number;
  /** There are more: counting the results of a search stops at a limit. */
  atLeast?: true;
}

export type ItemAction = 'read' | 'unread' | 'star' | 'unstar';

export interface ActionReceipt {
  /** Items whose state changed. */
  changed: number;
  /**
   * Undoes the change through `items.undoMark`; null if nothing changed. Valid in this run, for the last 200 marks and the
   * last bulk action that changed something.
   */
  undo: string | null;
}
