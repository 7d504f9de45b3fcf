import { z } from 'zod';
import { isGatewayKey } from '../../contract/model/gateway.ts';
import type { Credential, KeyStore, MarksKeyStore } from '../../contract/ports.ts';
import { MARKS_KEYS } from '../../core/credentials/marks-key-file.ts';
import type { MarksKey } from '../../contract/model/marks-folder.ts';
import { KeychainSecret, type SecretPorts } from './keychain-secret.ts';

export type { Vault } from './keychain-secret.ts';

const CREDENTIAL = z.object({ key: z.string().refine(isGatewayKey), origin: z.url({ protocol: /^https?$/ }) });

type KeychainPorts<T> = Omit<SecretPorts<T>, 'schema' | 'words'>;

/** The gateway's key, encrypted together with its origin in `key.json`, so that it cannot be moved to another one. */
export class Keychain implements KeyStore {
  readonly #secret: KeychainSecret<Credential>;
  readonly ready?: Promise<void>;

  constructor(ports: KeychainPorts<Credential>) {
    const words = {
      notEncrypted: 'The keychain could not encrypt the key. It is available for this run only',
      notDecrypted: 'The saved key cannot be decrypted. Unlock the keychain, or enter the key again in Settings',
    };
    this.#secret = new KeychainSecret({ ...ports, schema: CREDENTIAL, words });
    if (this.#secret.ready) this.ready = this.#secret.ready;
  }

  get keeping(): KeyStore['keeping'] {
    return this.#secret.keeping;
  }

  get keepingReason(): KeyStore['keepingReason'] {
    return this.#secret.keepingReason;
  }

  get(): ReturnType<KeyStore['get']> {
    const stored = this.#secret.get();
    return stored && { credential: stored.value, from: stored.from };
  }

  /** Errors: `disk_full`, `data_read_only`; the previous key stays saved then. */
  save(credential: Credential): Promise<void> {
    return this.#secret.save(credential);
  }

  /** Errors: see {@link save}. */
  forget(): void {
    this.#secret.forget();
  }
}

/** The keys of the folder of marks, encrypted in `marks-key.json`. */
export class MarksKeychain implements MarksKeyStore {
  readonly #secret: KeychainSecret<readonly MarksKey[]>;
  readonly ready?: Promise<void>;

  constructor(ports: Omit<KeychainPorts<readonly MarksKey[]>, 'given'>) {
    const words = {
      notEncrypted: 'The keychain could not encrypt the keys of the marks. They are available for this run only',
      notDecrypted:
        'The keys of the marks cannot be decrypted. Unlock the keychain, or enter the passphrase in Settings',
    };
    this.#secret = new KeychainSecret({ ...ports, given: null, schema: MARKS_KEYS, words });
    if (this.#secret.ready) this.ready = this.#secret.ready;
  }

  get(): readonly MarksKey[] {
    return this.#secret.get()?.value ?? [];
  }

  /** Errors: `disk_full`, `data_read_only`; the previous keys stay saved then. */
  async save(keys: readonly MarksKey[]): Promise<void> {
    if (keys.length > 0) await this.#secret.save(keys);
    else this.#secret.forget();
  }
}
