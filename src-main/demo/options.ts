import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, ModelRecord } from '../contract/model/model.ts';
import type { ModelListName } from '../contract/model/resource.ts';
import type { Clock } from '../contract/ports.ts';

// Times are in ms since 1970.

export interface FixedContent {
  selected: number;
  /** In `mode=all` only. Default: a quarter of `selected`, rounded up. */
  unselected?: number;
  /** Before `until`, with as many items each. Default 30. */
  days?: number;
  /** Discovery of the newest item. Default: now. */
  until?: number;
}

/** `living`: news arrives, changes and disappears as the clock runs. A restart changes nothing. */
export type DemoContent = 'living' | FixedContent;

export interface DemoOptions {
  clock: Clock;
  seed?: number;
  /** One for all items. Default: both, as a service has them. */
  language?: 'zh' | 'en';
  port?: number;
  content?: DemoContent;
  modelsKey?: string;
  models?: number;
  /** As unkind as a real service (docs/testing.md). */
  harsh?: boolean;
  /** Start of living content. Default: the first day of last month (UTC). */
  since?: number;
  log?: (request: LoggedRequest) => void;
  /** Gets each request first. Returns true if it has answered. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface LoggedRequest {
  method: string;
  path: string;
  query: string;
  /** 0 until it is answered. */
  status: number;
  headers: {
    ifNoneMatch?: string;
    accept?: string;
    hasAuthorization: boolean;
  };
}

/** As sent (observed-1-fields). `reason` is on `/items` only. */
export interface ServedItem {
  id: string;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  source: { name: string };
  links: { original: string; aihot: string };
  publishedAt: string | null;
  discoveredAt: string;
  category: string | null;
  score: number | null;
  selected: boolean;
  reason?: string | null;
  attribution: { name: string; url: string } | null;
}

export interface ItemPatch {
  [field: string]: Json;
}

/** May reach into `pricing` and other objects, with unknown fields and wrong types. Undefined removes a field. */
export interface ModelPatch {
  [field: string]: Json | undefined | ModelPatch;
}

/** Throws for unknown ids. */
export interface DemoControl {
  /** Selects the item unless `selected` is false; discovered now unless `discoveredAt` is given. */
  addItem(fields?: ItemPatch): ServedItem;
  editItem(id: string, patch: ItemPatch): ServedItem;
  /** Logs a removal even if the item is already gone or never existed. */
  withdraw(id: string): void;
  restore(id: string): ServedItem;
  /** Removes an item without a change, as after a restored backup. Call `requireSnapshot` next. */
  dropSilently(id: string): void;
  /** Keeps it in `/items?mode=all`, `selected: true` unless `marked` is false. */
  leaveSet(id: string, marked?: boolean): ServedItem;
  /** Finds items published since 2017, one in three selected. Returns the newest publication first. */
  backfill(count: number): ServedItem[];
  /** Fails a path such as `/api/v1/stories/ID` always, with null never; overrides the harsh service. */
  failAt(path: string, failure: Failure | null): void;
  /** `share`: 0 to 1. Clients need a `requireSnapshot` to notice. */
  shrinkSnapshots(share: number, times?: number): void;
  /** Refuses the news only. `retryAfter` is in seconds. */
  refuse(refusal: { status: 429 | 503; retryAfter: number }, times?: number): void;
  /** Pads the summaries of the newest items of `/items?mode=all` to `bytes` together. */
  weighDown(items: number, bytes: number): void;
  /** Changes every `links.aihot` and credit; earlier cursors get a 409. */
  movePages(address: string): void;
  /** Refuses every earlier cursor and page token with a 409. */
  requireSnapshot(): void;
  selectedItems(): ServedItem[];
  allItems(): ServedItem[];
  correctDaily(date: string, patch: { [field: string]: Json }): void;
  models(list: ModelListName): ModelRecord[];
  /** Adds a model at the start. */
  addModel(list: ModelListName, fields?: ModelPatch): ModelRecord;
  editModel(list: ModelListName, id: string, patch: ModelPatch): ModelRecord;
  removeModel(list: ModelListName, id: string): void;
}

export interface DemoService {
  newsAddress: string;
  modelsAddress: string;
  /** The last 10,000 requests, oldest first. */
  requests: readonly LoggedRequest[];
  control: DemoControl;
  close(): Promise<void>;
}

/** Fail a single story or report while all others are well (observed-6-single-failures). */
export const FAILURES = ['forbidden', 'broken', 'htmlPage', 'cutShort', 'redirectLoop', 'silent', 'notFound'] as const;
export type Failure = (typeof FAILURES)[number];
