import type { Json } from './json.ts';
import type { ModelListName } from './resource.ts';

/**
 * A model as the gateway lists it, with every field as received (document 2 section 2; observed-9-fields).
 * Prices are decimal strings. A price that was sent as a number is one, unless a binary float would change it: then it is the
 * string of its digits.
 */
export interface ModelRecord {
  id: string;
  [field: string]: Json;
}

/**
 * `pricing` as received: prices in USD, and under `overrides` their tiers. Missing prices have no member. See `price.ts` and
 * `price-tiers.ts`.
 */
export type Pricing = Record<string, Json>;

/** What the model table shows. Fields that are missing or of an undocumented type are null or empty. */
export interface ModelLine {
  modelList: ModelListName;
  id: string;
  /** Display name, or the id if there is none. */
  name: string;
  /** Part of the id before the slash, without the `~` of an alias; null without a slash. */
  vendor: string | null;
  /** For an alias, the id of the model that it stands for. */
  aliasTarget: string | null;
  description: string | null;
  /** Seconds since 1970. */
  created: number | null;
  /** Tokens. */
  contextLength: number | null;
  /** Tokens. */
  maxCompletionTokens: number | null;
  inputModalities: string[];
  outputModalities: string[];
  modality: string | null;
  tokenizer: string | null;
  instructType: string | null;
  pricing: Pricing;
  moderated: boolean | null;
  supportedParameters: string[];
  /** Dates as received, in various formats. An expiry more than ten years ahead is null. */
  expirationDate: string | null;
  knowledgeCutoff: string | null;
  /** RFC 3339: when it was first synced, and when the user made it a favourite. */
  firstSeenAt: string;
  favouriteAt: string | null;
}

/**
 * History of a price or of the context length: each value applies from `at` (RFC 3339). No `value`: not listed at that
 * time.
 */
export interface FieldHistory {
  /** A name of `pricing`, or `context_length`. */
  field: string;
  /** For the price of a tier: the conditions of the tier, as received. */
  tier?: Json;
  steps: { at: string; value?: Json }[];
}

export interface StoredModel extends ModelLine {
  record: ModelRecord;
  /** The user's other names for the model, also used to find it in the news. */
  aliases: string[];
  /** Only fields that have ever changed. */
  histories: FieldHistory[];
}

export const CHANGED_FIELDS = [
  'added',
  'removed',
  'price',
  'name',
  'context',
  'maxCompletion',
  'modality',
  'parameters',
  'moderation',
  'expiry',
  'cutoff',
] as const;
export type ChangedField = (typeof CHANGED_FIELDS)[number];

/** One difference between two syncs. Values as received; missing members mean that the field was not listed. */
export interface ModelChange {
  model: string;
  name: string;
  field: ChangedField;
  /** Which price, if `field` is `price`. */
  price?: string;
  /** For the price of a tier: the conditions of the tier, as received. */
  tier?: Json;
  before?: Json;
  after?: Json;
  /** Values at the time, for an added or removed model. */
  figures?: Pick<ModelLine, 'contextLength' | 'pricing'>;
}

/** All differences between one sync of a model list and the previous one. */
export interface ModelRefresh {
  id: number;
  modelList: ModelListName;
  /** RFC 3339. */
  at: string;
  /** Whether the key differs from that of the previous sync: then the key may cause the differences. */
  otherKey: boolean;
  changes: ModelChange[];
}

/** A model that an item appears to mention. */
export interface MentionedModel {
  modelList: ModelListName;
  id: string;
  name: string;
  contextLength: number | null;
  pricing: Pricing;
}

/** Tokens per request of a typical task, for estimating its monthly cost. */
export interface Workload {
  /** Assigned by the store; absent for a new workload. */
  id?: number;
  name: string;
  tokensIn: number;
  tokensOut: number;
  /** Part of `tokensIn` that is read from a cache. */
  tokensCached: number;
  requestsAMonth: number;
}
