import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { isWithin } from '../../store/index.ts';

// Files that a person names: where an export goes, and what is imported.

/** As many as Linux follows. */
const MOST_LINKS = 40;
/** Links in them lead to open files, which nothing may take the place of. */
const DESCRIPTORS = /^(?:\/proc|\/dev\/fd)(?:\/|$)/;
const WRITABLE_BY_ALL = 0o002;

/**
 * Returns the file that a path leads to, so that a file can take its place without replacing a link. It may be missing, or a
 * folder. `ownFolders` are Broadsheet's, where nothing else is written. Errors: `file_refused`, and those of the system.
 */
export async function fileToWrite(named: string, ownFolders: readonly string[]): Promise<string> {
  let path = resolve(named);
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const folder = await realpath(dirname(path));
    const file = join(folder, basename(path));
    const found = await lstat(file).catch(whenMissing);
    if (DESCRIPTORS.test(folder)) throw refused(`${named} leads to an open file, pipe or terminal.`);
    if (found?.isSymbolicLink()) {
      await ensureOurs(named, found, folder);
      const target = await readlink(file);
      // Not joined: `..` after a link is the folder above its target.
      path = isAbsolute(target) ? target : `${folder}/${target}`;
      continue;
    }
    if (found && !found.isFile() && !found.isDirectory()) throw refused(`${named} leads to a device or pipe.`);
    await ensureOutside(file, ownFolders);
    return file;
  }
  throw Object.assign(new Error(`too many links: ${named}`), { code: 'ELOOP' });
}

/** Makes sure that a path, which may be missing, is in none of Broadsheet's folders. Errors: `file_refused`. */
export async function ensureOutside(path: string, ownFolders: readonly string[]): Promise<void> {
  if (!(await isWithin(path, ownFolders))) return;
  throw new BroadsheetError(
    'file_refused',
    `${path} is in Broadsheet's data folder, where nothing else is written. Choose another folder.`,
  );
}

/**
 * Reads a file of at most `most` bytes. Errors: `file_refused` for a larger one, and for a device or pipe, whose end may never
 * come; those of the system.
 */
export async function readChosenFile(named: string, most: number): Promise<Buffer> {
  // Opening a pipe waits for who writes to it.
  ensureFile(named, await stat(named));
  const handle = await open(named, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    ensureFile(named, await handle.stat());
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, end: most }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
    }
    if (size > most) throw tooLarge(named);
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }

  function ensureFile(path: string, found: Stats): void {
    if (found.isDirectory()) throw Object.assign(new Error(`is a folder: ${path}`), { code: 'EISDIR' });
    if (!found.isFile()) throw new BroadsheetError('file_refused', `${path} is a device or pipe, which can't be read.`);
    if (found.size > most) throw tooLarge(path);
  }
}

/**
 * Follows a link where everybody may make one only if its owner is this user or that of the folder, as Linux does in folders
 * like /tmp: somebody else would choose which file is replaced.
 */
async function ensureOurs(named: string, link: Stats, folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  if ((mode & WRITABLE_BY_ALL) === 0 || [uid, process.getuid?.()].includes(link.uid)) return;
  throw refused(`${named} is a link that another user made.`);
}

function whenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function refused(what: string): BroadsheetError {
  return new BroadsheetError('file_refused', `${what} Only a file can be written: choose another name.`);
}

function tooLarge(path: string): BroadsheetError {
  return new BroadsheetError('file_refused', `${path} is too large to be what was chosen.`);
}
