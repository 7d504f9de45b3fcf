import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, ModelListName } from '../contract/model/item.ts';
import type { ModelRecord } from '../contract/model/model.ts';
import type { Clock } from '../contract/ports.ts';

/** A set of exactly known size that time does not change; only the control does. */
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
 * `living`: news that arrive, change and go as the clock runs, beginning with the first day of last month (UTC). What the service
 * says at a moment depends on the seed, that first day and the moment alone, so that a restart changes nothing. The models
 * change a little every day, since a day that is always the same.
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
  /** How many models the user's listing has at first. Default 120; the embeddings models are always 17. */
  models?: number;
  /** Called after every answer. */
  log?: (request: LoggedRequest) => void;
  /** Sees each request first; answers it itself when it returns true. */
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

/** An item as the service tells it (sheet 3, "Item"). `reason` is on `/items` only. */
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

/** Fields to lay over an item before it is served: also ones that no document names, or of a wrong type. */
export interface ItemPatch {
  [field: string]: Json;
}

/**
 * Fields to lay over a model, inside `pricing` and other objects too: also ones that no document names, or of a wrong type. What
 * is undefined is taken away.
 */
export interface ModelPatch {
  [field: string]: Json | undefined | ModelPatch;
}

/** What a test may do to the service while it runs. All of it counts at once. */
export interface DemoControl {
  /** A new item, in the selected set unless `selected` is false; discovered now unless `discoveredAt` says otherwise. */
  addItem(fields?: ItemPatch): ServedItem;
  /** Errors: throws for an id never held. */
  editItem(id: string, patch: ItemPatch): ServedItem;
  /** Writes a removal into the changes even when the item is gone already or was never there. */
  withdraw(id: string): void;
  /** The way back of `withdraw`: in the set again, told as an upsert. */
  restore(id: string): ServedItem;
  /** Gone without a word in the changes, as after a restored backup. Meant to be followed by `requireSnapshot`. */
  dropSilently(id: string): void;
  /** Every cursor and page token given so far answers 409 from here on. */
  requireSnapshot(): void;
  /** The selected set as the snapshot tells it, ordered by id. */
  selectedItems(): ServedItem[];
  /** Everything that is public, as `/items` tells it, newest discovery first. */
  allItems(): ServedItem[];
  /** Lays fields over one daily's report. */
  correctDaily(date: string, patch: { [field: string]: Json }): void;
  /** A listing as the gateway tells it now. */
  models(listing: ModelListName): ModelRecord[];
  /** A new model at the head of a listing, like the others but for `fields`. Errors: throws for an id that is taken. */
  addModel(listing: ModelListName, fields?: ModelPatch): ModelRecord;
  /** Errors: throws for a model that is not listed. */
  editModel(listing: ModelListName, id: string, patch: ModelPatch): ModelRecord;
  /** Errors: throws for a model that is not listed. */
  removeModel(listing: ModelListName, id: string): void;
  /** From here on both listings come in pages of so many models where a request does not say; null: all at once again. */
  pageSize(models: number | null): void;
}

export interface DemoService {
  /** Base addresses, without a slash at the end. */
  newsAddress: string;
  modelsAddress: string;
  /** The latest 10,000 requests, oldest first. */
  requests: readonly LoggedRequest[];
  control: DemoControl;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}
