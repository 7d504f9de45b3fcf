import { isGatewayKey } from '../../contract/model/model.ts';
import type { Credential, KeyStore } from '../../contract/ports.ts';

export const KEY_VARIABLE = 'BROADSHEET_MODELS_KEY';

/** Undefined if unset or blank. Throws `RangeError` for an invalid key. */
export function keyFrom(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = environment[KEY_VARIABLE]?.trim();
  if (!key) return undefined;
  // Without the key, because messages go to terminals and logs.
  if (!isGatewayKey(key))
    throw new RangeError(`${KEY_VARIABLE} must be 1 to 512 letters, digits or signs without spaces.`);
  return key;
}

/** Binds the environment's key to the gateway configured at start. For another one the user has to allow it. */
export function boundTo(address: string | null | undefined, key: string | undefined): Credential | null {
  const origin = URL.parse(address ?? '')?.origin;
  return origin && key ? { key, origin } : null;
}

type Why = NonNullable<KeyStore['keepingReason']>;

export class RunCredentials implements KeyStore {
  readonly keeping = 'thisRun';
  readonly keepingReason: Why;
  #saved: ReturnType<KeyStore['get']>;

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
