import type { Failure } from '../errors.ts';
import type { GatewaySource } from './gateway.ts';
import type { MentionedModel } from './model.ts';

/** What a value looks like that came as JSON and is kept as it was. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The parts of the news service that are mirrored. */
export const NEWS_RESOURCES = [
  'items',
  'selected',
  'hotTopics',
  'stories',
  'dailies',
  'weeklies',
  'monthlies',
] as const;
export type NewsResource = (typeof NEWS_RESOURCES)[number];

/** The model lists of the model gateway (document 2). */
export const MODEL_LISTS = ['models', 'embeddings'] as const;
export type ModelListName = (typeof MODEL_LISTS)[number];

/** All that is mirrored, under the names that `sync --json` uses. */
export const RESOURCES = [...NEWS_RESOURCES, ...MODEL_LISTS] as const;
export type ResourceName = (typeof RESOURCES)[number];

export function isModelList(resource: ResourceName): resource is ModelListName {
  return (MODEL_LISTS as readonly string[]).includes(resource);
}

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

export interface ViewCount {
  total: number;
  unread: number;
}

/** Kept counters of everything stored, without a window: they always agree with the lists under them. */
export interface Counts {
  selected: ViewCount;
  all: ViewCount;
  starred: ViewCount;
  /** In the order of `KNOWN_CATEGORIES`, then others by name. `category` is null for items without one. */
  categories: { category: string | null; selected: ViewCount; all: ViewCount }[];
}

/** Where the news comes from. `option` and `environment` win over settings for this run. */
export interface NewsSource {
  address: string;
  demo: boolean;
  from: 'option' | 'environment' | 'settings' | 'demo';
}

export interface SyncProgress {
  /** Records stored so far in this run. */
  stored: number;
  /** Records to expect in all, where the service said so. */
  expected: number | null;
  /** Pages fetched so far. */
  pages: number;
}

export interface ResourceStatus {
  name: ResourceName;
  running: boolean;
  progress: SyncProgress | null;
  lastTryAt: string | null;
  lastSuccessAt: string | null;
  nextDueAt: string | null;
  /** Failures since the last success. */
  failures: number;
  error: Failure | null;
  rows: number;
}

export interface SyncStatus {
  source: NewsSource;
  /** Where models come from; null where no gateway is named. */
  gateway: GatewaySource | null;
  resources: ResourceStatus[];
  /** False until the first snapshot of the selected set was stored to its last page: until then the set is not shown. */
  selectedComplete: boolean;
  /** The latest success of any resource of the news, RFC 3339: how old what is shown can be. */
  lastSuccessAt: string | null;
  /** Whether the last round reached the news service. Null before the first one of this run. */
  reachable: boolean | null;
  /** Set while polling rests at the reader's wish; `until` is null until it is resumed. RFC 3339. */
  pause: { until: string | null } | null;
  /** The reader's setting of that name: `nextDueAt` is null by hand. */
  polling: 'usual' | 'seldom' | 'byHand';
  /** What was found wrong with the stored files when they were opened, in words; empty if nothing was. */
  storageWarnings: StorageWarning[];
}

/** A stored file that could not be used and was set aside (never overwritten), or is not what it was. */
export interface StorageWarning {
  file: string;
  setAsideAs: string | null;
  reason: string;
  /** The newest backup, where the file can be had back from one (`data.restore`). */
  backup?: string;
}

/** What one resource's run did. The names are those of `sync --json`. */
export interface ResourceResult {
  status: 'ok' | 'notModified' | 'notDue' | 'failed';
  requests: number;
  added: number;
  revised: number;
  withdrawn: number;
  /** Records that could not be read and were left out. */
  skipped: number;
  error?: Failure;
  /** Of `notDue`: from when on the cache rules permit a reader's refresh to ask. RFC 3339. */
  permittedAt?: string | null;
}

export interface SyncResult {
  ok: boolean;
  resources: Record<ResourceName, ResourceResult>;
  counts: { items: number; selected: number; unread: number; starred: number };
}

/** What the host can do. The page shows only what is true here. */
export interface Capabilities {
  host: 'electron' | 'node';
  version: string;
  /** `process.platform` of the host, for shortcuts and words. */
  platform: string;
  /** The operating system's preferred language as a BCP 47 tag. */
  locale: string;
  tray: boolean;
  notifications: boolean;
  keychain: boolean;
  /** Whether links open in the user's browser from the host; otherwise the page opens them itself. */
  opensLinks: boolean;
  /** Whether the host saves what the page shows as a PDF; otherwise the page prints, and the browser's print saves it. */
  pdf: boolean;
  /** Whether the host opens windows of its own for a story or a report; otherwise the page asks its browser for one. */
  windows: boolean;
  /** Whether the host can be started with the computer. */
  launchAtLogin: boolean;
  /** Whether the host can show the data folder, and keep its data in another one. */
  dataFolder: boolean;
  /** Whether the host can update itself. */
  updates: boolean;
}
