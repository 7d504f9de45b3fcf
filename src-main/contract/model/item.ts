import type { Json } from './json.ts';
import type { MentionedModel } from './model.ts';

/** The service's current category values (document 1 section 4.1). Others are kept and shown as they are. */
export const KNOWN_CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;

/**
 * A news item under the service's own field names (sheet 3, "Item"). Times are RFC 3339 strings as they came.
 * Every text is plain text: it may hold markup, Markdown or control characters, and is data all the same.
 */
export interface Item {
  id: string;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  /** Members that the service may add later are kept beside the known ones. */
  source: { name: string | null; [unknown: string]: Json };
  links: { original: string | null; aihot: string | null; [unknown: string]: Json };
  publishedAt: string | null;
  discoveredAt: string | null;
  category: string | null;
  /** 0 to 100. */
  score: number | null;
  /** The service's flag. Membership of the selected set is `inSelectedSet`, which the flag does not decide. */
  selected: boolean | null;
  reason: string | null;
  attribution: { name: string | null; url: string | null; [unknown: string]: Json } | null;
  /** Fields that neither document names, kept as they came. */
  extra: { [field: string]: Json };
}

/** What the reader did with an item. RFC 3339, or null. */
export interface ItemStatus {
  readAt: string | null;
  starredAt: string | null;
}

export interface StoredItem extends Item {
  /** Whether the selected set, as snapshot and changes tell it, holds this item. */
  inSelectedSet: boolean;
  /** When a stored item was last changed by the service, as seen here; null if it never was. */
  revisedAt: string | null;
  state: ItemStatus;
  /** Models of the catalogue that its texts seem to name, longest name first: possible matches, found when it was written. */
  models: MentionedModel[];
}

/** A part of an item's text around what was searched for. `ranges` are [start, end) UTF-16 offsets into `text`. */
export interface Snippet {
  field: 'title' | 'originalTitle' | 'summary' | 'source' | 'reason';
  text: string;
  ranges: [start: number, end: number][];
}

/** A row of a list. `snippets` is empty unless a text was searched for. */
export interface ItemRow extends StoredItem {
  snippets: Snippet[];
}

/** Which stored items a list shows. */
export interface ItemsQuery {
  scope: 'selected' | 'all';
  /** By time of discovery, counted back from now. `any` is everything stored. */
  window: '24h' | '7d' | 'any';
  state: 'any' | 'unread' | 'starred';
  category?: string;
  /** Words, "phrases", -excluded and prefix* in any script; matched in title, original title, summary, source and reason. */
  text?: string;
}

export interface ItemsPage {
  /** Newest first. */
  rows: ItemRow[];
  /** Where the next page starts; null on the last page. Opaque; good for this query only. */
  next: string | null;
  /** What the store knew when this page was read. Pass it to `items.markAllRead`, so that unseen arrivals stay unread. */
  watermark: number;
}

export type ItemAction = 'read' | 'unread' | 'star' | 'unstar';

export interface ActionReceipt {
  /** Items whose state changed. */
  changed: number;
  /** Takes the change back through `items.undoMark`; null if nothing changed. Kept for the last 20 actions of this run. */
  undo: string | null;
}
