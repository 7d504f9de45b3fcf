import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../contract/model/json.ts';
import type { ModelListName } from '../contract/model/resource.ts';
import type { ModelRecord } from '../contract/model/model.ts';
import type { Clock } from '../contract/ports.ts';
import type { Failure } from './harsh/failure-kinds.ts';

/** A set of known size that only the control changes, not time. */
export interface FixedContent {
  /** How many items the selected set holds. */
  selected: number;
  /** How many items are only in `mode=all`. Default: a quarter of `selected`, rounded up. */
  unselected?: number;
  /** Over how many days before `until` the items are spread evenly. Default 30. */
  days?: number;
  /** Discovery time of the newest item in milliseconds since 1970. Default: the clock when the service starts. */
  until?: number;
}

/**
 * `living`: news that arrives, changes and disappears as the clock runs, from the first day of last month (UTC) on. The content at
 * a moment depends only on the seed, that first day and the moment, so a restart changes nothing. The models change a little
 * every day, from a fixed day on.
 */
export type DemoContent = 'living' | FixedContent;

export interface DemoOptions {
  clock: Clock;
  /** Default 1. */
  seed?: number;
  /** Default: one that is free. */
  port?: number;
  /** Default `living`. */
  content?: DemoContent;
  /** The only key that lists the user's models. Default: `DEMO_KEY` of the contract. */
  modelsKey?: string;
  /** How many models the user's list has at first. Default 120; the embeddings models are always 17. */
  models?: number;
  /**
   * Makes the service as unkind as a real one (docs/decisions/044): few items are selected, items stay public after losing
   * their seat in the set, old texts are found late, some stories and reports always fail. Default false.
   */
  harsh?: boolean;
  /** When living content begins, in ms since 1970. Default: with the first day of last month (UTC). */
  since?: number;
  /** Called after every response. */
  log?: (request: LoggedRequest) => void;
  /** Gets each request first. If it returns true, it has answered the request itself. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface LoggedRequest {
  method: string;
  path: string;
  /** The raw query, with its question mark; empty without one. */
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

/** An item as the service sends it (observed-1-fields). `reason` is on `/items` only. */
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

/** Overrides fields of an item before it is served, also with unknown fields or wrong types. */
export interface ItemPatch {
  [field: string]: Json;
}

/**
 * Overrides fields of a model, also inside `pricing` and other objects, also with unknown fields or wrong types. Undefined removes
 * a field.
 */
export interface ModelPatch {
  [field: string]: Json | undefined | ModelPatch;
}

/** Changes the running service, with immediate effect. */
export interface DemoControl {
  /** Adds an item, to the selected set unless `selected` is false; discovered now unless `discoveredAt` is given. */
  addItem(fields?: ItemPatch): ServedItem;
  /** Errors: throws for an unknown id. */
  editItem(id: string, patch: ItemPatch): ServedItem;
  /** Adds a removal to the changes even if the item is already gone or never existed. */
  withdraw(id: string): void;
  /** Undoes `withdraw`: the item is in the set again, and the changes have an upsert. */
  restore(id: string): ServedItem;
  /** Removes an item without a change, as after a restored backup. To be followed by `requireSnapshot`. */
  dropSilently(id: string): void;
  /**
   * Takes an item out of the selected set: the changes have a removal, `/items?mode=all` still has the item, with `selected:
   * true` unless `marked` is false. Errors: throws for an unknown id.
   */
  leaveSet(id: string, marked?: boolean): ServedItem;
  /** Finds old items now, published since 2017, one in three selected. Returns them as served, newest publication first. */
  backfill(count: number): ServedItem[];
  /**
   * Lets a path such as `/api/v1/stories/ID` always fail in a way, or never again with null. Overrides what the harsh service
   * does by itself.
   */
  failAt(path: string, failure: Failure | null): void;
  /** The next snapshots have only a share of the set (0 to 1), in all their pages. After `requireSnapshot`, clients meet them. */
  shrinkSnapshots(share: number, times?: number): void;
  /** The next snapshot pages lack half of the items that their `count` announces. */
  miscountSnapshots(times?: number): void;
  /** The next responses of a model list have only a share of its models (0 to 1). */
  shrinkModels(list: ModelListName, share: number, times?: number): void;
  /** The next requests to the news service get a 429 or 503 with a Retry-After in seconds. */
  refuse(refusal: { status: 429 | 503; retryAfter: number }, times?: number): void;
  /** Lets the newest items that `/items?mode=all` lists weigh so many bytes together, evenly, in their summaries. */
  weighDown(items: number, bytes: number): void;
  /** Redirects every request to the news service to another address (301); null for no longer. */
  redirect(address: string | null): void;
  /** Moves the service's pages: every `links.aihot` and credit changes, and earlier cursors get a 409. */
  movePages(address: string): void;
  /** From now on every earlier cursor and page token gets a 409. */
  requireSnapshot(): void;
  /** The selected set as the snapshot has it, ordered by id. */
  selectedItems(): ServedItem[];
  /** All public items as `/items` has them, newest discovery first. */
  allItems(): ServedItem[];
  /** Overrides fields of one daily report. */
  correctDaily(date: string, patch: { [field: string]: Json }): void;
  /** A list as the gateway has it now. */
  models(list: ModelListName): ModelRecord[];
  /** Adds a model at the start of a list, like the others except for `fields`. Errors: throws for an id that is taken. */
  addModel(list: ModelListName, fields?: ModelPatch): ModelRecord;
  /** Errors: throws for a model that is not listed. */
  editModel(list: ModelListName, id: string, patch: ModelPatch): ModelRecord;
  /** Errors: throws for a model that is not listed. */
  removeModel(list: ModelListName, id: string): void;
  /** Sets the page size of both lists for requests without a limit; null turns paging off again. */
  pageSize(models: number | null): void;
}

export interface DemoService {
  /** Base addresses, without a slash at the end. */
  newsAddress: string;
  modelsAddress: string;
  /** The last 10,000 requests, oldest first. */
  requests: readonly LoggedRequest[];
  control: DemoControl;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}
