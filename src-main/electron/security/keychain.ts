import type { SafeStorage } from 'electron';
import { z } from 'zod';
import type { FolderKey } from '../../contract/model/devices.ts';
import type { Credential, KeyStore, FolderKeyStore, Log } from '../../contract/ports.ts';
import { CREDENTIAL, FOLDER_KEYS } from '../../core/credentials/key-stores.ts';
import type { StoredFile } from '../../core/files/json-file.ts';

/** The synchronous functions are deprecated, block the process during prompts, and support fewer Linux keychains. */
type Vault = Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'>;

interface SecretPorts<T> {
  vault: Vault;
  platform: NodeJS.Platform;
  file: StoredFile;
  log: Log;
  /** From the environment, in place of the keychain. */
  given: T | null;
  schema: z.ZodType<T>;
  words: { notEncrypted: string; notDecrypted: string };
}

type Reason = KeyStore['keepingReason'];

interface StoredSecret<T> {
  value: T;
  from: 'keychain' | 'thisRun' | 'environment';
}

const FILE = z.object({ sealed: z.base64().min(1) });

/** Prefix of ciphertext on Linux if it is encrypted with the fixed password in Chromium's source. */
const FIXED_PASSWORD = Buffer.from('v10');

/** Create it after `ready`. Uses the keychain only to load and save, because some keychains show a prompt. */
class KeychainSecret<T> {
  readonly ready?: Promise<void>;
  readonly #ports: SecretPorts<T>;
  /** Unknown before the first key is saved. */
  #reason: Reason = null;
  #stored: StoredSecret<T> | null;

  constructor(ports: SecretPorts<T>) {
    this.#ports = ports;
    this.#stored = ports.given && { value: ports.given, from: 'environment' };
    const stored = FILE.safeParse(ports.file.read());
    if (stored.success && !ports.given) this.ready = this.#open(stored.data.sealed);
  }

  get keeping(): KeyStore['keeping'] {
    return this.#reason === null ? 'keychain' : 'thisRun';
  }

  get keepingReason(): Reason {
    return this.#reason;
  }

  protected get stored(): StoredSecret<T> | null {
    return this.#stored;
  }

  async save(value: T): Promise<void> {
    const sealed = await this.#encrypt(value);
    if (sealed) this.#write(sealed);
    // Otherwise the previous key would return at the next start.
    else this.#clearFile();
    this.#stored = { value, from: sealed ? 'keychain' : 'thisRun' };
  }

  forget(): void {
    this.#clearFile();
    this.#stored = null;
  }

  #clearFile(): void {
    const { file } = this.#ports;
    if ('sealed' in file.read()) file.write({ sealed: null });
  }

  #write(sealed: Buffer): void {
    this.#ports.file.write({ sealed: sealed.toString('base64') });
  }

  async #encrypt(value: T): Promise<Buffer | null> {
    const { vault, log, words } = this.#ports;
    try {
      if (!(await vault.isAsyncEncryptionAvailable())) return this.#unavailable('unavailable');
      const sealed = await vault.encryptStringAsync(JSON.stringify(value));
      if (this.#hasFixedPassword(sealed)) return this.#unavailable('plainText');
      this.#reason = null;
      return sealed;
    } catch {
      // The error is not logged, because it could contain the key.
      log('warn', words.notEncrypted);
      return this.#unavailable('unavailable');
    }
  }

  #unavailable(reason: NonNullable<Reason>): null {
    this.#reason = reason;
    return null;
  }

  /** `getSelectedStorageBackend` describes the synchronous functions, which support fewer desktops. */
  #hasFixedPassword(sealed: Buffer): boolean {
    return this.#ports.platform === 'linux' && sealed.subarray(0, FIXED_PASSWORD.length).equals(FIXED_PASSWORD);
  }

  /** If decryption fails, the file stays: the keychain may only be locked. */
  async #open(sealed: string): Promise<void> {
    const { vault, file, log, schema, words } = this.#ports;
    const found = file.read();
    try {
      const { result, shouldReEncrypt } = await vault.decryptStringAsync(Buffer.from(sealed, 'base64'));
      const value = schema.parse(JSON.parse(result));
      // The user may have entered or removed a key meanwhile.
      if (this.#stored || file.read() !== found) return;
      this.#stored = { value, from: 'keychain' };
      if (shouldReEncrypt) await this.#reencrypt(this.#stored);
    } catch {
      log('warn', words.notDecrypted);
    }
  }

  /** After the system's encryption key changed. The old ciphertext still works, so failures are harmless. */
  async #reencrypt(stored: StoredSecret<T>): Promise<void> {
    try {
      const sealed = await this.#ports.vault.encryptStringAsync(JSON.stringify(stored.value));
      if (this.#stored === stored && !this.#hasFixedPassword(sealed)) this.#write(sealed);
    } catch {
      this.#ports.log('info', 'A saved key could not be encrypted again');
    }
  }
}

type KeychainPorts<T> = Omit<SecretPorts<T>, 'schema' | 'words'>;

/** Encrypts the gateway's key together with its origin in `key.json`, so that it can't be moved to another one. */
export class Keychain extends KeychainSecret<Credential> implements KeyStore {
  constructor(ports: KeychainPorts<Credential>) {
    const words = {
      notEncrypted: 'The keychain could not encrypt the key. It is available for this run only',
      notDecrypted: 'The saved key cannot be decrypted. Unlock the keychain, or enter the key again in Settings',
    };
    super({ ...ports, schema: CREDENTIAL, words });
  }

  get(): ReturnType<KeyStore['get']> {
    return this.stored && { credential: this.stored.value, from: this.stored.from };
  }
}

export class FolderKeychain extends KeychainSecret<readonly FolderKey[]> implements FolderKeyStore {
  constructor(ports: Omit<KeychainPorts<readonly FolderKey[]>, 'given'>) {
    const words = {
      notEncrypted:
        'The keychain could not encrypt the keys of the shared folder. They are available for this run only',
      notDecrypted:
        'The keys of the shared folder cannot be decrypted. Unlock the keychain, or enter the passphrase in Settings',
    };
    super({ ...ports, given: null, schema: FOLDER_KEYS, words });
  }

  get(): readonly FolderKey[] {
    return this.stored?.value ?? [];
  }

  override async save(keys: readonly FolderKey[]): Promise<void> {
    if (keys.length > 0) await super.save(keys);
    else this.forget();
  }
}
