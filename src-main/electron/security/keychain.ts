import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { isGatewayKey } from '../../contract/model/gateway.ts';
import type { Credential, KeyStore, Log } from '../../contract/ports.ts';
import type { StoredFile } from '../../core/files/json-file.ts';

/**
 * Electron's asynchronous functions. The synchronous ones are deprecated, block the process while a keychain shows a prompt,
 * and support fewer keychains on Linux.
 */
export type Vault = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

interface KeychainPorts {
  vault: Vault;
  platform: NodeJS.Platform;
  /** `key.json`: the key, encrypted together with its origin, so that it cannot be moved to another one. */
  file: StoredFile;
  log: Log;
  /** The key from the environment. It takes precedence, and the keychain is not used then. */
  given: Credential | null;
}

type Reason = KeyStore['keepingReason'];
type StoredKey = NonNullable<ReturnType<KeyStore['get']>>;

const FILE = z.object({ sealed: z.base64().min(1) });
const CREDENTIAL = z.object({ key: z.string().refine(isGatewayKey), origin: z.url({ protocol: /^https?$/ }) });

/** Prefix of ciphertext on Linux if it is encrypted with the fixed password in Chromium's source. */
const FIXED_PASSWORD = Buffer.from('v10');

/**
 * Saves the key encrypted by `safeStorage`, with the encryption key in the system's keychain. Without a secure keychain, the
 * key is held for this run only. Create it after `ready`. The keychain is used only to load or save a key, because some
 * keychains show a prompt.
 */
export class Keychain implements KeyStore {
  readonly ready?: Promise<void>;
  readonly #ports: KeychainPorts;
  #reason: Reason;
  #stored: StoredKey | null;

  constructor(ports: KeychainPorts) {
    this.#ports = ports;
    this.#reason = isPlainText(ports) ? 'plainText' : null;
    this.#stored = ports.given && { credential: ports.given, from: 'environment' };
    const stored = FILE.safeParse(ports.file.read());
    if (stored.success && !ports.given && this.#reason === null) this.ready = this.#open(stored.data.sealed);
  }

  get keeping(): KeyStore['keeping'] {
    return this.#reason === null ? 'keychain' : 'thisRun';
  }

  get keepingReason(): Reason {
    return this.#reason;
  }

  get(): StoredKey | null {
    return this.#stored;
  }

  /** Errors: `disk_full`, `data_read_only`; the previous key stays saved then. */
  async save(credential: Credential): Promise<void> {
    const sealed = await this.#encrypt(credential);
    if (sealed) this.#write(sealed);
    // Otherwise the previous key would return at the next start.
    else this.#clearFile();
    this.#stored = { credential, from: sealed ? 'keychain' : 'thisRun' };
  }

  /** Errors: see {@link keep}. */
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
  async #encrypt(credential: Credential): Promise<Buffer | null> {
    const { vault, log } = this.#ports;
    if (isPlainText(this.#ports)) return this.#unavailable('plainText');
    try {
      if (!(await vault.isAsyncEncryptionAvailable())) return this.#unavailable('unavailable');
      const sealed = await vault.encryptStringAsync(JSON.stringify(credential));
      if (this.#hasFixedPassword(sealed)) return this.#unavailable('plainText');
      this.#reason = null;
      return sealed;
    } catch {
      // The error is not logged, because it could contain the key.
      log('warn', 'The keychain could not encrypt the key. It is available for this run only');
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
    const { vault, file, log } = this.#ports;
    const found = file.read();
    try {
      const { result, shouldReEncrypt } = await vault.decryptStringAsync(Buffer.from(sealed, 'base64'));
      const credential = CREDENTIAL.parse(JSON.parse(result));
      // The user may have entered or removed a key meanwhile.
      if (this.#stored || file.read() !== found) return;
      this.#stored = { credential, from: 'keychain' };
      if (shouldReEncrypt) await this.#reencrypt(this.#stored);
    } catch {
      log('warn', 'The saved key cannot be decrypted. Unlock the keychain, or enter the key again in Settings');
    }
  }

  /** After the system's encryption key changed. The old ciphertext still works, so failures are harmless. */
  async #reencrypt(stored: StoredKey): Promise<void> {
    try {
      const sealed = await this.#ports.vault.encryptStringAsync(JSON.stringify(stored.credential));
      if (this.#stored === stored && !this.#hasFixedPassword(sealed)) this.#write(sealed);
    } catch {
      this.#ports.log('info', 'The saved key could not be encrypted again');
    }
  }
}

/** `unknown` occurs only before `ready`; all other backends are secure. */
function isPlainText({ vault, platform }: Pick<KeychainPorts, 'vault' | 'platform'>): boolean {
  return platform === 'linux' && ['basic_text', 'unknown'].includes(vault.getSelectedStorageBackend());
}
