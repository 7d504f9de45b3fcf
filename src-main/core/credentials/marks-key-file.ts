import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { MARKS_SALT, MOST_MARKS_KEYS, type MarksKey } from '../../contract/model/marks-folder.ts';
import type { Log, MarksKeyStore } from '../../contract/ports.ts';
import { explainWriteError, writeAtomicallySync } from '../files/atomic-write.ts';

const NAME = 'marks-key-plain.json';
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
    this.#file = join(folder, NAME);
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
    log('warn', 'The keys of the marks cannot be read', { file: NAME, code });
    return [];
  }
  try {
    return MARKS_KEYS.parse(JSON.parse(text));
  } catch {
    log('warn', 'The keys of the marks cannot be used. Enter the passphrase again', { file: NAME });
    return [];
  }
}
