import { isGatewayKey } from '../../contract/model/gateway.ts';
import type { Credential, KeyStore } from '../../contract/ports.ts';

/** The environment's key, which wins over a kept one for this run. */
export const KEY_VARIABLE = 'BROADSHEET_MODELS_KEY';

/** The key of a variable, or undefined where it is not set or blank. Errors: throws `RangeError` for what can be no key. */
export function keyFrom(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = environment[KEY_VARIABLE]?.trim();
  if (!key) return undefined;
  // The words leave the key out: they go to terminals and logs.
  if (!isGatewayKey(key))
    throw new RangeError(`${KEY_VARIABLE} must be 1 to 512 letters, digits or signs without spaces.`);
  return key;
}

/** A key for the gateway that is named when the process starts; for another one it needs the reader's word. */
export function boundTo(address: string | null | undefined, key: string | undefined): Credential | null {
  // An address that is none is for whoever asks the gateway to complain about.
  const origin = URL.parse(address ?? '')?.origin;
  return origin && key ? { key, origin } : null;
}

type Why = NonNullable<KeyStore['keepingReason']>;

/** Keeps a key until this process ends, and nowhere but in its memory. */
export class RunCredentials implements KeyStore {
  readonly keeping = 'thisRun';
  readonly keepingReason: Why;
  #kept: ReturnType<KeyStore['get']>;

  /** @param given the environment's */
  constructor(keepingReason: Why, given: Credential | null) {
    this.keepingReason = keepingReason;
    this.#kept = given && { credential: given, from: 'environment' };
  }

  get(): ReturnType<KeyStore['get']> {
    return this.#kept;
  }

  async keep(credential: Credential): Promise<void> {
    this.#kept = { credential, from: 'thisRun' };
  }

  forget(): void {
    this.#kept = null;
  }
}
