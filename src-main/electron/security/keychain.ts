import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { isGatewayKey } from '../../contract/model/gateway.ts';
import type { Credential, KeyStore, Log } from '../../contract/ports.ts';
import type { StoredFile } from '../../core/files/json-file.ts';

/**
 * Electron's asynchronous calls: the synchronous ones are deprecated, hold up the process while a keychain asks its user, and
 * know fewer keychains of Linux.
 */
export type Vault = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

interface KeychainPorts {
  vault: Vault;
  platform: NodeJS.Platform;
  /** `key.json`: the key, sealed together with the origin that it is for, so that nobody can bind it to another one. */
  file: StoredFile;
  log: Log;
  /** The environment's: it wins for this run, and then the keychain is not asked. */
  given: Credential | null;
}

type Reason = KeyStore['keepingReason'];
type Kept = NonNullable<ReturnType<KeyStore['get']>>;

const FILE = z.object({ sealed: z.base64().min(1) });
const CREDENTIAL = z.object({ key: z.string().refine(isGatewayKey), origin: z.url({ protocol: /^https?$/ }) });

/** What Linux ciphers begin with where the password is the one that is written in Chromium's source. */
const FIXED_PASSWORD = Buffer.from('v10');

/**
 * Keeps the key sealed by `safeStorage`, so that what opens it lies in the system's keychain; where there is none, or one that
 * anybody could open, for this run only. To be opened after `ready`. The keychain is asked only for a key that is there, or
 * for one to be kept: some show a window of theirs.
 */
export class Keychain implements KeyStore {
  readonly ready?: Promise<void>;
  readonly #ports: KeychainPorts;
  #reason: Reason;
  #kept: Kept | null;

  constructor(ports: KeychainPorts) {
    this.#ports = ports;
    this.#reason = isPlainText(ports) ? 'plainText' : null;
    this.#kept = ports.given && { credential: ports.given, from: 'environment' };
    const stored = FILE.safeParse(ports.file.read());
    if (stored.success && !ports.given && this.#reason === null) this.ready = this.#open(stored.data.sealed);
  }

  get keeping(): KeyStore['keeping'] {
    return this.#reason === null ? 'keychain' : 'thisRun';
  }

  get keepingReason(): Reason {
    return this.#reason;
  }

  get(): Kept | null {
    return this.#kept;
  }

  /** Errors: `disk_full`, `data_read_only`; what was kept before is kept then. */
  async keep(credential: Credential): Promise<void> {
    const sealed = await this.#seal(credential);
    if (sealed) this.#write(sealed);
    // The key before this one must not come back at the next start.
    else this.#clearFile();
    this.#kept = { credential, from: sealed ? 'keychain' : 'thisRun' };
  }

  /** Errors: as those of {@link keep}. */
  forget(): void {
    this.#clearFile();
    this.#kept = null;
  }

  #clearFile(): void {
    const { file } = this.#ports;
    if ('sealed' in file.read()) file.write({ sealed: null });
  }

  #write(sealed: Buffer): void {
    this.#ports.file.write({ sealed: sealed.toString('base64') });
  }

  /** Null where it cannot be sealed so that only its owner opens it. */
  async #seal(credential: Credential): Promise<Buffer | null> {
    const { vault, log } = this.#ports;
    if (isPlainText(this.#ports)) return this.#cannot('plainText');
    try {
      if (!(await vault.isAsyncEncryptionAvailable())) return this.#cannot('unavailable');
      const sealed = await vault.encryptStringAsync(JSON.stringify(credential));
      if (this.#hasFixedPassword(sealed)) return this.#cannot('plainText');
      this.#reason = null;
      return sealed;
    } catch {
      // Without the error: whatever made it has just held the key.
      log('warn', 'The keychain did not seal the key; it is kept for this run only');
      return this.#cannot('unavailable');
    }
  }

  #cannot(reason: NonNullable<Reason>): null {
    this.#reason = reason;
    return null;
  }

  /** The name of a Linux keychain tells which one was meant, not which one answered: the cipher tells. */
  #hasFixedPassword(sealed: Buffer): boolean {
    return this.#ports.platform === 'linux' && sealed.subarray(0, FIXED_PASSWORD.length).equals(FIXED_PASSWORD);
  }

  /** A key that opens no more is none; its file stays, for a keychain that is locked today may be open tomorrow. */
  async #open(sealed: string): Promise<void> {
    const { vault, file, log } = this.#ports;
    const found = file.read();
    try {
      const { result, shouldReEncrypt } = await vault.decryptStringAsync(Buffer.from(sealed, 'base64'));
      const credential = CREDENTIAL.parse(JSON.parse(result));
      // What the reader entered or removed meanwhile holds.
      if (this.#kept || file.read() !== found) return;
      this.#kept = { credential, from: 'keychain' };
      if (shouldReEncrypt) await this.#sealAnew(this.#kept);
    } catch {
      log('warn', 'The kept key can no longer be opened; enter it again in Settings');
    }
  }

  /** After the system changed what it seals with. The old cipher opens as well, so a failure costs nothing. */
  async #sealAnew(kept: Kept): Promise<void> {
    try {
      const sealed = await this.#ports.vault.encryptStringAsync(JSON.stringify(kept.credential));
      if (this.#kept === kept && !this.#hasFixedPassword(sealed)) this.#write(sealed);
    } catch {
      this.#ports.log('info', 'The kept key could not be sealed anew');
    }
  }
}

/** `unknown` only before `ready`; everything else is a keychain. */
function isPlainText({ vault, platform }: Pick<KeychainPorts, 'vault' | 'platform'>): boolean {
  return platform === 'linux' && ['basic_text', 'unknown'].includes(vault.getSelectedStorageBackend());
}
