import type { Failure } from '../errors.ts';

/** The only key that the built-in gateway takes. No secret: whoever has Broadsheet has it. */
export const DEMO_KEY = 'demo-key';

/** Where models come from. `option` and `environment` win over settings for this run. */
export interface GatewaySource {
  address: string;
  demo: boolean;
  from: 'option' | 'environment' | 'settings' | 'demo';
}

/** What may be told of the key: never more of it than its last four characters, and of a short one nothing. */
export interface KeyState {
  /** Null without a key. */
  from: 'keychain' | 'thisRun' | 'environment' | 'demo' | null;
  lastFour: string | null;
  /** The origin that the key was given for: it goes nowhere else. */
  origin: string | null;
  /** Whether it goes with requests; `unused` says why not. `otherOrigin` waits for the reader's word. */
  inUse: boolean;
  unused: 'otherOrigin' | 'insecure' | null;
  /** Where a key that is typed now would be kept. */
  keeping: 'keychain' | 'thisRun';
  /** Why for this run only: this host has no keychain, the system's is not there, or it would keep the key as plain text. */
  keepingReason: 'host' | 'unavailable' | 'plainText' | null;
}

/** The gateway as the page knows it. */
export interface Gateway {
  source: GatewaySource | null;
  key: KeyState;
}

/** What came of a key that was tried. A key that the gateway refuses is not kept; one that could not be tried is. */
export interface KeyTrial {
  gateway: Gateway;
  kept: boolean;
  /** Null where the gateway listed models for it. */
  failure: Failure | null;
}

/** Whether a text can be a key at all: what an Authorization header can carry, without spaces. */
export function isGatewayKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}
