import { isGatewayKey } from '../../contract/model/gateway.ts';
import type { Credential, KeyStore } from '../../contract/ports.ts';

/** Environment variable with a key, which overrides the saved one for this run. */
export const KEY_VARIABLE = 'BROADSHEET_MODELS_KEY';

/** The key in the environment; undefined if unset or blank. Errors: throws `RangeError` for an invalid key. */
export function keyFrom(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = environment[KEY_VARIABLE]?.trim();
  if (!key) return undefined;
  // The message doesn't contain the key, because it goes to terminals and logs.
  if (!isGatewayKey(key))
    throw new RangeError(`${KEY_VARIABLE} must be 1 to 512 letters, digits or signs without spaces.`);
  return key;
}

/** The environment's key, for the gateway that is configured at start. For another one the user has to allow it. */
export function boundTo(address: string | null | undefined, key: string | undefined): Credential | null {
  // An invalid address is reported where the gateway is used.
  const origin = URL.parse(address ?? '')?.origin;
  return origin && key ? { key, origin } : null;
}

type Why = NonNullable<KeyStore['keepingReason']>;

/** Stores a key in memory until the process ends. */
export class RunCredentials implements KeyStore {
  readonly keeping = 'thisRun';
  readonly keepingReason: Why;
  #saved: ReturnType<KeyStore['get']>;

  /** @param given key from the environment */
  constructor(keepingReason: Why, given: Credential | null) {
    this.keepingReason = keepingReason;
    this.#saved = given && { credential: given, from: 'environment' };
  }

  get(): ReturnType<KeyStore['get']> {
    return this.#saved;
  }

  async save(credential: Credential): Promise<void> {
    this.#saved = { credential, from: 'thisRun' };
  }

  forget(): void {
    this.#saved = null;
  }
}
