import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { misplaced } from '../../common/system-errors.ts';
import type { BroadsheetError } from '../../contract/errors.ts';
import { COMPANIONS, storeFiles } from './files.ts';

/** What is in the place of a file: a folder, or a link that leads to no file. */
export type Obstacle = 'folder' | 'link';

/** Null for a file, for a link to one, and for nothing. Errors: those of the file system. */
export function obstacleAt(file: string): Obstacle | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || found.isFile()) return null;
  if (!found.isSymbolicLink()) return 'folder';
  return leadsToFile(file) ? null : 'link';
}

/** Errors: `data_unreadable`, naming the file, if something else is in its place. */
export function checkPlace(file: string): void {
  const obstacle = obstacleAt(file);
  if (obstacle) throw obstructed(file, obstacle);
}

/** The error for the first file of a data folder in whose place something else is; null if there is none. */
export function findObstacle(folder: string, cause: unknown): BroadsheetError | null {
  for (const file of Object.values(storeFiles(folder)) as string[]) {
    for (const companion of COMPANIONS) {
      const obstacle = obstacleAt(file + companion);
      if (obstacle) return obstructed(file + companion, obstacle, cause);
    }
  }
  return null;
}

function obstructed(file: string, obstacle: Obstacle, cause?: unknown): BroadsheetError {
  const what = `${basename(file)} in the data folder`;
  if (obstacle === 'folder') return misplaced(what, 'a folder', cause);
  return misplaced(what, `a link to ${readlinkSync(file)}, which can't be used,`, cause);
}

function leadsToFile(link: string): boolean {
  try {
    return statSync(link).isFile();
  } catch {
    // Its target is missing, or a link again and again.
    return false;
  }
}
