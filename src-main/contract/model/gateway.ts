import type { Failure } from '../errors.ts';

/** The only key that the built-in gateway accepts. It is public. */
export const DEMO_KEY = 'demo-key';

/** No part of a shorter key is shown: four characters would reveal too much. */
export const MIN_LENGTH_TO_SHOW = 12;

/** The model gateway in use. `option` and `environment` override the settings for this run. */
export interface GatewaySource {
  address: string;
  demo: boolean;
  /** Whether it belongs to the harsh demo. */
  harsh?: boolean;
  from: 'option' | 'environment' | 'settings' | 'demo';
}

/** What the page may show of the key: at most its last four characters, and nothing of a short key. */
export interface KeyState {
  /** Null without a key. */
  from: 'keychain' | 'file' | 'thisRun' | 'environment' | 'demo' | null;
  lastFour: string | null;
  /** The origin that the key was entered for. It is sent to no other. */
  origin: string | null;
  /**
   * Whether requests include the key; `unused` is the reason if not. `otherOrigin`: the user has to allow the key for
   * this origin.
   */
  inUse: boolean;
  unused: 'otherOrigin' | 'insecure' | null;
  /** Where a key that is entered now would be saved. */
  keeping: 'keychain' | 'file' | 'thisRun';
  /**
   * Why a key is saved for this run only: the host has no keychain, the system's is unavailable, or it would save plain
   * text.
   */
  keepingReason: 'host' | 'unavailable' | 'plainText' | null;
}

/** The gateway and its key as the page shows them. */
export interface Gateway {
  source: GatewaySource | null;
  key: KeyState;
}

/** Result of testing a key. A key that the gateway rejects isn't saved; one that couldn't be tested is. */
export interface KeyTrial {
  gateway: Gateway;
  kept: boolean;
  /** Null if the gateway listed models for this key. */
  failure: Failure | null;
}

/** Whether a text can be a key: 1 to 512 printable ASCII characters without spaces. */
export function isGatewayKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}
