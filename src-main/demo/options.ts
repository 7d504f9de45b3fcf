import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, ModelRecord } from '../contract/model/model.ts';
import type { ModelListName } from '../contract/model/resource.ts';
import type { Clock } from '../contract/ports.ts';

/** Changed by the control only, not by time. */
export interface FixedContent {
  selected: number;
  /** In `mode=all` only. Default: a quarter of `selected`, rounded up. */
  unselected?: number;
  /** Before `until`; the items are spread over them evenly. Default 30. */
  days?: number;
  /** Discovery of the newest item (ms since 1970). Default: the clock when the service starts. */
  until?: number;
}

/**
 * `living`: news arrives, changes and disappears as the clock runs. It depends only on the seed, `since` and the
 * moment, so a restart changes nothing. The models change a little every day, from a fixed day on.
 */
export type DemoContent = 'living' | FixedContent;

export interface DemoOptions {
  clock: Clock;
  /** Default 1. */
  seed?: number;
  /** Default: a free one. */
  port?: number;
  content?: DemoContent;
  /** The only key that lists the user's models. Default: `DEMO_KEY`. */
  modelsKey?: string;
  /** In the user's list at first. Default 120; the embeddings models are always 17. */
  models?: number;
  /**
   * As unkind as a real service (docs/decisions/044): few items are selected, items stay public after losing their seat
   * in the set, old texts are found late, some stories and reports always fail.
   */
  harsh?: boolean;
  /** Start of living content (ms since 1970). Default: the first day of last month (UTC). */
  since?: number;
  log?: (request: LoggedRequest) => void;
  /** Gets each request first. Returns true if it has answered. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface LoggedRequest {
  method: string;
  path: string;
  /** With its question mark; empty without a query. */
  query: string;
  /** 0 until it is answered. */
  status: number;
  headers: {
    ifNoneMatch?: string;
    acceptEncoding?: string;
    userAgent?: string;
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

/** May have unknown fields and wrong types. */
export interface ItemPatch {
  [field: string]: Json;
}

/** May reach into `pricing` and other objects, with unknown fields and wrong types. Undefined removes a field. */
export interface ModelPatch {
  [field: string]: Json | undefined | ModelPatch;
}

export interface DemoControl {
  /** Selects the item unless `selected` is false; discovered now unless `discoveredAt` is given. */
  addItem(fields?: ItemPatch): ServedItem;
  /** Errors: throws for an unknown id. */
  editItem(id: string, patch: ItemPatch): ServedItem;
  /** Logs a removal even if the item is already gone or never existed. */
  withdraw(id: string): void;
  /** Undoes `withdraw`, with an upsert in the changes. */
  restore(id: string): ServedItem;
  /** Removes an item without a change, as after a restored backup. Call `requireSnapshot` next. */
  dropSilently(id: string): void;
  /** Keeps it in `/items?mode=all`, `selected: true` unless `marked` is false. Errors: throws for an unknown id. */
  leaveSet(id: string, marked?: boolean): ServedItem;
  /** Finds items published since 2017, one in three selected. Returns the newest publication first. */
  backfill(count: number): ServedItem[];
  /** Fails a path such as `/api/v1/stories/ID` always, with null never; overrides the harsh service. */
  failAt(path: string, failure: Failure | null): void;
  /** `share`: 0 to 1, of the set in all pages. Clients need a `requireSnapshot` to notice. */
  shrinkSnapshots(share: number, times?: number): void;
  /** The next snapshot pages lack half of the items that their `count` announces. */
  miscountSnapshots(times?: number): void;
  /** `share`: 0 to 1. */
  shrinkModels(list: ModelListName, share: number, times?: number): void;
  /** Refuses the news only. `retryAfter` is in seconds. */
  refuse(refusal: { status: 429 | 503; retryAfter: number }, times?: number): void;
  /** Pads the summaries of the newest items of `/items?mode=all` to `bytes` together. */
  weighDown(items: number, bytes: number): void;
  /** Redirects the news with a 301; null ends it. */
  redirect(address: string | null): void;
  /** Changes every `links.aihot` and credit; earlier cursors get a 409. */
  movePages(address: string): void;
  /** Refuses every earlier cursor and page token with a 409. */
  requireSnapshot(): void;
  /** Returns the set ordered by id, as the snapshot has it. */
  selectedItems(): ServedItem[];
  /** Returns the public items, newest discovery first. */
  allItems(): ServedItem[];
  correctDaily(date: string, patch: { [field: string]: Json }): void;
  models(list: ModelListName): ModelRecord[];
  /** Adds a model at the start. Errors: throws for an id that is taken. */
  addModel(list: ModelListName, fields?: ModelPatch): ModelRecord;
  /** Errors: throws for a model that is not listed. */
  editModel(list: ModelListName, id: string, patch: ModelPatch): ModelRecord;
  /** Errors: throws for a model that is not listed. */
  removeModel(list: ModelListName, id: string): void;
  /** Applies to both lists without a limit; null turns paging off. */
  pageSize(models: number | null): void;
}

export interface DemoService {
  /** Without a slash at the end, like `modelsAddress`. */
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
