import type { Json } from './json.ts';
import type { ModelListName } from './resource.ts';

/**
 * A model as the gateway lists it, under its own field names and every field as it came (document 2 section 2; sheet 3,
 * "Model model list"). Prices are decimal strings; one that came as a number is kept as the digits that stood in the answer.
 */
export interface ModelRecord {
  id: string;
  [field: string]: Json;
}

/** `pricing` as it came: USD for one token, request, image or search. What is absent has no member. See `price.ts`. */
export type Pricing = Record<string, Json>;

/** What the table shows of a model. Fields that are missing, or of another type than the documents say, are null or empty. */
export interface ModelLine {
  modelList: ModelListName;
  id: string;
  /** The display name, or the id where there is none. */
  name: string;
  /** The part of the id before its slash; null without one. */
  vendor: string | null;
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
  /** As they came: dates, in the shapes seen. */
  expirationDate: string | null;
  knowledgeCutoff: string | null;
  /** RFC 3339: when it was first seen here, and when the reader took it among the favourites. */
  firstSeenAt: string;
  favouriteAt: string | null;
}

/** What a price or the context of a model has been: from each `at` (RFC 3339) on. Without `value` it was not given. */
export interface FieldHistory {
  /** A name of `pricing`, or `context_length`. */
  field: string;
  steps: { at: string; value?: Json }[];
}

export interface StoredModel extends ModelLine {
  record: ModelRecord;
  /** What else the reader calls it: words by which the news find it. */
  aliases: string[];
  /** Only of what ever changed. */
  histories: FieldHistory[];
}

export type ChangedField =
  | 'added'
  | 'removed'
  | 'price'
  | 'name'
  | 'context'
  | 'maxCompletion'
  | 'modality'
  | 'parameters'
  | 'moderation'
  | 'expiry'
  | 'cutoff';

/** One difference between two refreshes. Values as they came; without a member where the field was not given. */
export interface ModelChange {
  model: string;
  name: string;
  field: ChangedField;
  /** Of `price`: which one. */
  price?: string;
  before?: Json;
  after?: Json;
  /** Of a model that came or left: what it had then. */
  figures?: Pick<ModelLine, 'contextLength' | 'pricing'>;
}

/** Everything that one refresh of a model list found different from the one before it. */
export interface ModelRefresh {
  id: number;
  modelList: ModelListName;
  /** RFC 3339. */
  at: string;
  /** With another key than the one before it: the differences may be the key's and not the gateway's. */
  otherKey: boolean;
  changes: ModelChange[];
}

/** A model that the texts of an item seem to name. */
export interface MentionedModel {
  modelList: ModelListName;
  id: string;
  name: string;
  contextLength: number | null;
  pricing: Pricing;
}

/** What a reader's work takes, a request: tokens in (of them `cached` read from a cache) and out. */
export interface Workload {
  /** Given by the store; absent of one that is new. */
  id?: number;
  name: string;
  tokensIn: number;
  tokensOut: number;
  /** Of `tokensIn`. */
  tokensCached: number;
  requestsAMonth: number;
}
