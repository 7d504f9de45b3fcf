import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { MARKS_SALT, type MarksKey, MOST_MARKS_KEYS } from '../../contract/model/marks-folder.ts';
import { isGatewayKey } from '../../contract/model/model.ts';
import type { Credential, KeyStore, Log, MarksKeyStore } from '../../contract/ports.ts';
import { explainWriteError, writeAtomicallySync } from '../files/atomic-write.ts';

const KEY_FILE = 'key-plain.json';
const CREDENTIAL = z.object({ key: z.string().refine(isGatewayKey), origin: z.url({ protocol: /^https?$/ }) });

/** Logs a file that can't be used, without its content. */
export function keyInFile(folder: string, log: Log): Credential | null {
  let text: string;
  try {
    text = readFileSync(join(folder, KEY_FILE), 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') log('warn', 'The saved key cannot be read', { file: KEY_FILE, code });
    return null;
  }
  try {
    return CREDENTIAL.parse(JSON.parse(text));
  } catch {
    log('warn', 'The saved key cannot be used. Save it again with `broadsheet settings set api-key`', {
      file: KEY_FILE,
    });
    return null;
  }
}

/** Errors: `data_read_only`. */
export function removeKeyFile(folder: string): void {
  const file = join(folder, KEY_FILE);
  try {
    rmSync(file, { force: true });
  } catch (cause) {
    throw explainWriteError(file, cause);
  }
}

/** Saves the key unencrypted with mode 0600, and only if the user asked for it (docs/decisions/128). */
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
    const file = join(this.#folder, KEY_FILE);
    try {
      writeAtomicallySync(file, `${JSON.stringify(credential)}\n`);
    } catch (cause) {
      throw explainWriteError(file, cause);
    }
    this.#saved = { credential, from: 'file' };
  }

  forget(): void {
    removeKeyFile(this.#folder);
    this.#saved = null;
  }
}

const MARKS_KEY_FILE = 'marks-key-plain.json';
export const MARKS_KEYS = z
  .array(z.object({ salt: z.string().regex(MARKS_SALT), key: z.string().regex(/^[0-9a-f]{64}$/) }))
  .max(MOST_MARKS_KEYS);

/**
 * Saves the keys unencrypted with mode 0600 if there is no keychain and the passphrase was entered in a command
 * (docs/decisions/137), else keeps them in memory.
 */
export class MarksKeyFile implements MarksKeyStore {
  readonly #file: string;
  readonly #saves: boolean;
  #keys: readonly MarksKey[];

  /** @param saves whether to create the file; an existing one is used in any case */
  constructor(folder: string, saves: boolean, log: Log) {
    this.#file = join(folder, MARKS_KEY_FILE);
    const saved = readKeys(this.#file, log);
    this.#saves = saves || saved !== null;
    this.#keys = saved ?? [];
  }

  get(): readonly MarksKey[] {
    return this.#keys;
  }

  /** Errors: `disk_full`, `data_read_only`; the previous keys then stay. */
  async save(keys: readonly MarksKey[]): Promise<void> {
    try {
      if (keys.length === 0) rmSync(this.#file, { force: true });
      else if (this.#saves) writeAtomicallySync(this.#file, `${JSON.stringify(keys)}\n`);
    } catch (cause) {
      throw explainWriteError(this.#file, cause);
    }
    this.#keys = keys;
  }
}

/** Logs a file that can't be used, without its content. */
function readKeys(file: string, log: Log): readonly MarksKey[] | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    log('warn', 'The keys of the marks cannot be read', { file: MARKS_KEY_FILE, code });
    return [];
  }
  try {
    return MARKS_KEYS.parse(JSON.parse(text));
  } catch {
    log('warn', 'The keys of the marks cannot be used. Enter the passphrase again', { file: MARKS_KEY_FILE });
    return [];
  }
}
