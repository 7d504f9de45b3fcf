import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SALT_PATTERN, type FolderKey, MAX_FOLDER_KEYS } from '../../contract/model/devices.ts';
import { isGatewayKey } from '../../contract/model/model.ts';
import type { Credential, KeyStore, Log, FolderKeyStore } from '../../contract/ports.ts';
import { explainErrors, writeAtomicallySync } from '../files/atomic-write.ts';

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
export function bindKey(address: string | null | undefined, key: string | undefined): Credential | null {
  const origin = URL.parse(address ?? '')?.origin;
  return origin && key ? { key, origin } : null;
}

export class RunCredentials implements KeyStore {
  readonly keeping = 'thisRun';
  readonly keepingReason = 'host';
  #saved: ReturnType<KeyStore['get']>;

  constructor(given: Credential | null) {
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

const KEY_FILE = 'key-plain.json';
export const CREDENTIAL = z.object({ key: z.string().refine(isGatewayKey), origin: z.url({ protocol: /^https?$/ }) });

export function readKeyFile(folder: string, log: Log): Credential | null {
  return readSecret(folder, KEY_FILE, CREDENTIAL, {
    log,
    broken: null,
    unreadable: 'The saved key cannot be read',
    unusable: 'The saved key cannot be used. Save it again with `broadsheet settings set api-key`',
  });
}

export function removeKeyFile(folder: string): void {
  const file = join(folder, KEY_FILE);
  explainErrors(file, () => rmSync(file, { force: true }));
}

/** Saves the key unencrypted with mode 0600, and only if the user asked for it (docs/decisions/128). */
export class KeyFile implements KeyStore {
  readonly keeping = 'file';
  readonly keepingReason = null;
  readonly #folder: string;
  #saved: ReturnType<KeyStore['get']>;

  constructor(folder: string, given: Credential | null, saved: Credential | null) {
    this.#folder = folder;
    this.#saved = given ? { credential: given, from: 'environment' } : saved && { credential: saved, from: 'file' };
  }

  get(): ReturnType<KeyStore['get']> {
    return this.#saved;
  }

  async save(credential: Credential): Promise<void> {
    const file = join(this.#folder, KEY_FILE);
    explainErrors(file, () => writeAtomicallySync(file, `${JSON.stringify(credential)}\n`));
    this.#saved = { credential, from: 'file' };
  }

  forget(): void {
    removeKeyFile(this.#folder);
    this.#saved = null;
  }
}

const FOLDER_KEY_FILE = 'folder-key-plain.json';
export const FOLDER_KEYS = z
  .array(z.object({ salt: z.string().regex(SALT_PATTERN), key: z.string().regex(/^[0-9a-f]{64}$/) }))
  .max(MAX_FOLDER_KEYS);

/** Saves the keys unencrypted with mode 0600 if `saves` or they are already (docs/decisions/137), else in memory. */
export class FolderKeyFile implements FolderKeyStore {
  readonly #file: string;
  readonly #saves: boolean;
  #keys: readonly FolderKey[];

  constructor(folder: string, saves: boolean, log: Log) {
    this.#file = join(folder, FOLDER_KEY_FILE);
    const saved = readSecret<readonly FolderKey[]>(folder, FOLDER_KEY_FILE, FOLDER_KEYS, {
      log,
      broken: [],
      unreadable: 'The keys of the shared folder cannot be read',
      unusable: 'The keys of the shared folder cannot be used. Enter the passphrase again',
    });
    this.#saves = saves || saved !== null;
    this.#keys = saved ?? [];
  }

  get(): readonly FolderKey[] {
    return this.#keys;
  }

  async save(keys: readonly FolderKey[]): Promise<void> {
    explainErrors(this.#file, () => {
      if (keys.length === 0) rmSync(this.#file, { force: true });
      else if (this.#saves) writeAtomicallySync(this.#file, `${JSON.stringify(keys)}\n`);
    });
    this.#keys = keys;
  }
}

interface ReadOptions<T> {
  log: Log;
  broken: T | null;
  unreadable: string;
  unusable: string;
}

/** Returns null if there is no file. Logs one that can't be used, without its content. */
function readSecret<T>(folder: string, file: string, schema: z.ZodType<T>, options: ReadOptions<T>): T | null {
  const { log, broken, unreadable, unusable } = options;
  let text: string;
  try {
    text = readFileSync(join(folder, file), 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    log('warn', unreadable, { file, reason: code });
    return broken;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    log('warn', unusable, { file });
    return broken;
  }
}
