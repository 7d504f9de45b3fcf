import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isGatewayKey } from '../../contract/model/model.ts';
import type { Credential, KeyStore, Log } from '../../contract/ports.ts';
import { explainWriteError, writeAtomicallySync } from '../files/atomic-write.ts';

const NAME = 'key-plain.json';
const CREDENTIAL = z.object({ key: z.string().refine(isGatewayKey), origin: z.url({ protocol: /^https?$/ }) });

/** Logs a file that can't be used, without its content. */
export function keyInFile(folder: string, log: Log): Credential | null {
  let text: string;
  try {
    text = readFileSync(join(folder, NAME), 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') log('warn', 'The saved key cannot be read', { file: NAME, code });
    return null;
  }
  try {
    return CREDENTIAL.parse(JSON.parse(text));
  } catch {
    log('warn', 'The saved key cannot be used. Save it again with `broadsheet settings set api-key`', { file: NAME });
    return null;
  }
}

/** Errors: `data_read_only`. */
export function removeKeyFile(folder: string): void {
  const file = join(folder, NAME);
  try {
    rmSync(file, { force: true });
  } catch (cause) {
    throw explainWriteError(file, cause);
  }
}

/**
 * Saves the key unencrypted with mode 0600, for computers without a keychain, and only if the user asked for it
 * (docs/decisions/128).
 */
export class KeyFile implements KeyStore {
  readonly keeping = 'file';
  readonly keepingReason = null;
  readonly #folder: string;
  #saved: ReturnType<KeyStore['get']>;

  /** @param given key from the environment, which wins for this run */
  constructor(folder: string, given: Credential | null, saved: Credential | null) {
    this.#folder = folder;
    this.#saved = given ? { credential: given, from: 'environment' } : saved && { credential: saved, from: 'file' };
  }

  get(): ReturnType<KeyStore['get']> {
    return this.#saved;
  }

  /** Errors: `disk_full`, `data_read_only`; the previous key then stays. */
  async save(credential: Credential): Promise<void> {
    const file = join(this.#folder, NAME);
    try {
      writeAtomicallySync(file, `${JSON.stringify(credential)}\n`);
    } catch (cause) {
      throw explainWriteError(file, cause);
    }
    this.#saved = { credential, from: 'file' };
  }

  /** Errors: `data_read_only`; the key then stays. */
  forget(): void {
    removeKeyFile(this.#folder);
    this.#saved = null;
  }
}
