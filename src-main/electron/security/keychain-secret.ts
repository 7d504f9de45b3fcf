import type { SafeStorage } from 'electron';
import { z } from 'zod';
import type { KeyStore, Log } from '../../contract/ports.ts';
import type { StoredFile } from '../../core/files/json-file.ts';

/**
 * Electron's asynchronous functions. The synchronous ones are deprecated, block the process while a keychain shows a prompt,
 * and support fewer keychains on Linux.
 */
export type Vault = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

export interface SecretPorts<T> {
  vault: Vault;
  platform: NodeJS.Platform;
  /** Has what is encrypted. */
  file: StoredFile;
  log: Log;
  /** From the environment. It takes precedence, and the keychain is not used then. */
  given: T | null;
  schema: z.ZodType<T>;
  /** For the log. They don't contain the secret. */
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

/**
 * Saves a secret encrypted by `safeStorage`, with the encryption key in the system's keychain. Without a secure keychain, the
 * secret is held for this run only. Create it after `ready`. The keychain is used only to load or save it, because some
 * keychains show a prompt.
 */
export class KeychainSecret<T> {
  readonly ready?: Promise<void>;
  readonly #ports: SecretPorts<T>;
  #reason: Reason;
  #stored: StoredSecret<T> | null;

  constructor(ports: SecretPorts<T>) {
    this.#ports = ports;
    this.#reason = isPlainText(ports) ? 'plainText' : null;
    this.#stored = ports.given && { value: ports.given, from: 'environment' };
    const stored = FILE.safeParse(ports.file.read());
    if (stored.success && !ports.given && this.#reason === null) this.ready = this.#open(stored.data.sealed);
  }

  get keeping(): KeyStore['keeping'] {
    return this.#reason === null ? 'keychain' : 'thisRun';
  }

  get keepingReason(): Reason {
    return this.#reason;
  }

  get(): StoredSecret<T> | null {
    return this.#stored;
  }

  /** Errors: `disk_full`, `data_read_only`; the previous key stays saved then. */
  async save(value: T): Promise<void> {
    const sealed = await this.#encrypt(value);
    if (sealed) this.#write(sealed);
    // Otherwise the previous key would return at the next start.
    else this.#clearFile();
    this.#stored = { value, from: sealed ? 'keychain' : 'thisRun' };
  }

  /** Errors: see {@link save}. */
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

  /** Null without secure encryption. */
  async #encrypt(value: T): Promise<Buffer | null> {
    const { vault, log, words } = this.#ports;
    if (isPlainText(this.#ports)) return this.#unavailable('plainText');
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

  /** On Linux the name of the backend is the selected one, not the one in use; the ciphertext shows which was used. */
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

/** `unknown` occurs only before `ready`; all other backends are secure. */
function isPlainText({ vault, platform }: Pick<SecretPorts<unknown>, 'vault' | 'platform'>): boolean {
  return platform === 'linux' && ['basic_text', 'unknown'].includes(vault.getSelectedStorageBackend());
}
