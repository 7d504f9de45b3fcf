import type { Failure } from '../errors.ts';
import type { ModelListName } from './resource.ts';

/** As received (document 2 section 2; observed-9-fields). Prices that a float would change are strings of digits. */
export interface ModelRecord {
  id: string;
  [field: string]: Json;
}

/** As received, in USD; tiers are under `overrides`. */
export type Pricing = JsonObject;

export interface ModelLine {
  modelList: ModelListName;
  id: string;
  name: string;
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
  /** As received, in various formats. */
  expirationDate: string | null;
  knowledgeCutoff: string | null;
  firstSeenAt: string;
  favouriteAt: string | null;
}

/** Each value applies from `at`; without one, the field was not listed. `tier` is the conditions of a price's tier. */
export interface FieldHistory {
  field: string;
  tier?: Json;
  steps: { at: string; value?: Json }[];
}

export interface StoredModel extends ModelLine {
  record: ModelRecord;
  aliases: string[];
  histories: FieldHistory[];
}

export const CHANGED_FIELDS = [
  'price',
  'added',
  'removed',
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

/** As received; without `before` or `after`, the field was not listed. */
export interface ModelChange {
  model: string;
  name: string;
  field: ChangedField;
  price?: string;
  tier?: Json;
  before?: Json;
  after?: Json;
  figures?: Pick<ModelLine, 'contextLength' | 'pricing'>;
}

export interface ModelRefresh {
  id: number;
  modelList: ModelListName;
  at: string;
  /** The key differs from that of the previous sync, and may be the cause. */
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
  origin: string | null;
  inUse: boolean;
  unused: 'otherOrigin' | 'insecure' | null;
  keeping: 'keychain' | 'file' | 'thisRun';
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

/** Printable ASCII without spaces, as an Authorization header requires (document 2 section 5). */
export function isGatewayKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}

export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
