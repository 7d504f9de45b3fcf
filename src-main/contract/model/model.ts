import type { Failure } from '../errors.ts';
import type { ModelListName } from './resource.ts';

/**
 * Every field as received (document 2 section 2; observed-9-fields). Prices are decimal strings. A price sent as a
 * number stays one, unless a binary float would change it: then it is the string of its digits.
 */
export interface ModelRecord {
  id: string;
  [field: string]: Json;
}

/** As received, in USD; tiers are under `overrides`. See `common/price.ts`. */
export type Pricing = Record<string, Json>;

export interface ModelLine {
  modelList: ModelListName;
  id: string;
  name: string;
  /** The id before the slash, without an alias's `~`. */
  vendor: string | null;
  aliasTarget: string | null;
  description: string | null;
  /** Seconds since 1970. */
  created: number | null;
  contextLength: number | null;
  maxCompletionTokens: number | null;
  inputModalities: string[];
  outputModalities: string[];
  modality: string | null;
  tokenizer: string | null;
  instructType: string | null;
  pricing: Pricing;
  moderated: boolean | null;
  supportedParameters: string[];
  /** As received, in various formats. An expiry more than ten years ahead is null. */
  expirationDate: string | null;
  knowledgeCutoff: string | null;
  firstSeenAt: string;
  favouriteAt: string | null;
}

/** Each value applies from `at`; without one, the price or context length was not listed. */
export interface FieldHistory {
  field: string;
  /** The conditions of a price's tier, as received. */
  tier?: Json;
  steps: { at: string; value?: Json }[];
}

export interface StoredModel extends ModelLine {
  record: ModelRecord;
  aliases: string[];
  histories: FieldHistory[];
}

export const CHANGED_FIELDS = [
  'added',
  'removed',
  'price',
  'context',
  'maxCompletion',
  'modality',
  'parameters',
  'moderation',
  'expiry',
  'cutoff',
  'name',
] as const;
export type ChangedField = (typeof CHANGED_FIELDS)[number];

/** As received; missing members mean that the field was not listed. */
export interface ModelChange {
  model: string;
  name: string;
  field: ChangedField;
  price?: string;
  /** The conditions of a price's tier, as received. */
  tier?: Json;
  before?: Json;
  after?: Json;
  figures?: Pick<ModelLine, 'contextLength' | 'pricing'>;
}

export interface ModelRefresh {
  id: number;
  modelList: ModelListName;
  at: string;
  /** The key is not that of the previous sync, and may cause the differences. */
  otherKey: boolean;
  changes: ModelChange[];
}

export interface MentionedModel {
  modelList: ModelListName;
  id: string;
  name: string;
  contextLength: number | null;
  pricing: Pricing;
}

export interface Workload {
  id?: number;
  name: string;
  tokensIn: number;
  tokensOut: number;
  tokensCached: number;
  requestsAMonth: number;
}

/** Public: the only key that the built-in gateway accepts. */
export const DEMO_KEY = 'demo-key';

/** Four characters of a shorter key would reveal too much. */
export const MIN_LENGTH_TO_SHOW = 12;

/** `option` and `environment` override the settings for this run. */
export interface GatewaySource {
  address: string;
  demo: boolean;
  harsh?: boolean;
  from: 'option' | 'environment' | 'settings' | 'demo';
}

/** Must not reveal more of a key than its last four characters. */
export interface KeyState {
  from: 'keychain' | 'file' | 'thisRun' | 'environment' | 'demo' | null;
  lastFour: string | null;
  /** The key is sent to no other origin. */
  origin: string | null;
  /** `otherOrigin`: the user has to allow the key for this origin first. */
  inUse: boolean;
  unused: 'otherOrigin' | 'insecure' | null;
  keeping: 'keychain' | 'file' | 'thisRun';
  /** Why a key lasts for this run only: no keychain, an unavailable one, or one that would save plain text. */
  keepingReason: 'host' | 'unavailable' | 'plainText' | null;
}

export interface Gateway {
  source: GatewaySource | null;
  key: KeyState;
}

/** A key that the gateway rejects isn't saved; one that couldn't be tested is. */
export interface KeyTrial {
  gateway: Gateway;
  kept: boolean;
  failure: Failure | null;
}

/** Accepts 1 to 512 printable ASCII characters without spaces. */
export function isGatewayKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
