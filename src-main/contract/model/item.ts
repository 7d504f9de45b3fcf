import type { z } from 'zod';
import type { itemsQuery, onlineSearch } from '../guards.ts';
import type { JsonObject, MentionedModel } from './model.ts';
import type { Attribution, Links, Source } from './record.ts';
import type { ViewCount } from './search.ts';

/** Document 1 section 4.1. Unknown categories are saved and shown as received. */
export const KNOWN_CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;

/** Names and times as received (observed-1-fields). Every text is plain text, even if it looks like markup. */
export interface Item {
  id: string;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  source: Source;
  links: Links<'original' | 'aihot'>;
  publishedAt: string | null;
  discoveredAt: string | null;
  category: string | null;
  /** 0 to 100. */
  score: number | null;
  /** The service's flag. Membership of the selected set is `inSelectedSet`. */
  selected: boolean | null;
  reason: string | null;
  attribution: Attribution | null;
  extra: JsonObject;
}

export interface ItemStatus {
  readAt: string | null;
  starredAt: string | null;
}

export interface StoredItem extends Item {
  /** The discovery, or the publication if the discovery was more than 72 hours later. */
  effectiveAt: string;
  inSelectedSet: boolean;
  leftSelectionAt: string | null;
  /** A withdrawn item is only listed among the starred ones, without any text. */
  withdrawnAt: string | null;
  revisedAt: string | null;
  state: ItemStatus;
  models: MentionedModel[];
}

/** `ranges` are [start, end) UTF-16 offsets into `text`. */
export interface Snippet {
  field: 'title' | 'originalTitle' | 'summary' | 'source' | 'reason';
  text: string;
  ranges: [start: number, end: number][];
}

export interface FoldedReports {
  story: string;
  title: string;
  count: number;
  unread: number;
}

export interface ItemRow extends StoredItem {
  snippets: Snippet[];
  folded?: FoldedReports;
  /** In lists of hidden items. Empty for a moment after a rule was removed. */
  mutedBy?: HidingRule[];
}

export interface HidingRule {
  id: string;
  query: string;
}

export interface ItemStory {
  publicId: string;
  title: string;
  /** As the service counts them; null if the story is not saved. */
  reportCount: number | null;
  followedAt: string | null;
  goneAt: string | null;
}

export interface ItemContext {
  stories: ItemStory[];
  topic: { id: string; rank: number } | null;
  sameSource: ItemRow[];
}

export type ItemsQuery = z.infer<typeof itemsQuery>;

export interface ItemsPage {
  rows: ItemRow[];
  places: number[];
  next: string | null;
  /** For `items.markAllRead`, so that later arrivals stay unread. */
  watermark: number;
}

/** Row keys in descending order. An item gets another one if the time that it is listed by is corrected. */
export interface ItemPlaces {
  places: number[];
  more: boolean;
}

export interface ItemsCount {
  count: number;
  folded?: number;
  atLeast?: true;
}

export type ItemAction = 'read' | 'unread' | 'star' | 'unstar';

export interface ActionReceipt {
  changed: number;
  /** For `items.undoMark`. Valid in this run, for the last 200 actions and the last bulk action. */
  undo: string | null;
}

export interface Revision {
  at: string;
  fields: { field: string; before: string | null; after: string | null }[];
}

export type OnlineSearch = z.infer<typeof onlineSearch>;

export interface OnlineResult extends Omit<ItemRow, 'snippets'> {
  stored: boolean;
}

/** Must always match the lists. */
export interface Counts {
  selected: ViewCount;
  all: ViewCount;
  starred: ViewCount;
  muted: ViewCount;
  saved: ({ id: string } & ViewCount)[];
  /** In the order of `KNOWN_CATEGORIES`, then by name. */
  categories: { category: string | null; selected: ViewCount; all: ViewCount }[];
}
