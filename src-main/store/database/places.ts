import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { misplacedError } from '../../common/system-errors.ts';
import type { BroadsheetError } from '../../contract/errors.ts';
import { COMPANIONS, storeFiles } from './files.ts';

/** A `link` that leads to no file. */
type Obstacle = 'folder' | 'link';

/** Returns `other` for a folder, a link that leads nowhere, or something else that is no file. */
export function kindOf(path: string): 'absent' | 'file' | 'other' {
  if (!lstatSync(path, { throwIfNoEntry: false })) return 'absent';
  try {
    return statSync(path).isFile() ? 'file' : 'other';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'other';
    throw error;
  }
}

function obstacleAt(file: string): Obstacle | null {
  if (kindOf(file) !== 'other') return null;
  return lstatSync(file).isSymbolicLink() ? 'link' : 'folder';
}

/** Errors: `data_unreadable`, naming the file, if something else is in its place. */
export function checkPlace(file: string): void {
  const obstacle = obstacleAt(file);
  if (obstacle) throw obstacleError(file, obstacle);
}

/** Returns the error for the first file of a data folder in whose place something else is. */
export function findObstacle(folder: string, cause: unknown): BroadsheetError | null {
  for (const file of Object.values(storeFiles(folder)) as string[]) {
    for (const companion of COMPANIONS) {
      const obstacle = obstacleAt(file + companion);
      if (obstacle) return obstacleError(file + companion, obstacle, cause);
    }
  }
  return null;
}

function obstacleError(file: string, obstacle: Obstacle, cause?: unknown): BroadsheetError {
  const what = `${basename(file)} in the data folder`;
  if (obstacle === 'folder') return misplacedError(what, 'a folder', cause);
  return misplacedError(what, `a link to ${readlinkSync(file)}, which can't be used,`, cause);
}

/**
 * Returns true if a path, which may be missing, is one of the folders or inside one. Compares folders, not names: a link, a
 * mount and, on many systems, another case lead to the same one.
 */
export async function isWithin(path: string, folders: readonly string[]): Promise<boolean> {
  const owned = (await Promise.all(folders.map(identityOf))).filter((one) => one !== null);
  let place = await realExisting(resolve(path));
  for (;;) {
    const identity = await identityOf(place);
    if (identity !== null && owned.includes(identity)) return true;
    if (dirname(place) === place) return false;
    place = dirname(place);
  }
}

async function realExisting(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    const real = await realpath(place).catch(() => null);
    if (real !== null || dirname(place) === place) return real ?? place;
  }
}

async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${String(found.dev)}/${String(found.ino)}`;
}
