import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { isWithin } from '../../store/index.ts';

const MOST_LINKS = 40;
/** Links here lead to open files, which must not be replaced. */
const DESCRIPTORS = /^(?:\/proc|\/dev\/fd)(?:\/|$)/;
const WRITABLE_BY_ALL = 0o002;
/** Windows: Node reports this owner for everything. */
const ADMINISTRATOR = 0;

/** Resolves links, so that none is replaced. The file may be missing, or a folder. Refuses files in `ownFolders`. */
export async function fileToWrite(named: string, ownFolders: readonly string[]): Promise<string> {
  const file = await placeToWrite(named, ownFolders);
  // Throws if its folder is missing.
  await stat(dirname(file));
  const found = await lstat(file).catch(whenMissing);
  if (found && !found.isFile() && !found.isDirectory()) throw refusal(named, 'a device or pipe');
  return file;
}

/** Like {@link fileToWrite}, also for missing folders. */
export async function placeToWrite(named: string, ownFolders: readonly string[]): Promise<string> {
  const place = await followLinks(named, {
    folder: (folder) => {
      if (DESCRIPTORS.test(folder)) throw refusal(named, 'an open file, pipe or terminal');
    },
    link: (link, found) => ensureOurs(named, found, dirname(link)),
  });
  if (!(await isWithin(place, ownFolders))) return place;
  throw new BroadsheetError(
    'file_refused',
    `${place} is in Broadsheet's data folder, where nothing else is written. Choose another folder.`,
  );
}

interface Way {
  folder(path: string): void | Promise<void>;
  link(path: string, found: Stats): void | Promise<void>;
}

/** Follows links one by one, including those of folders: the system doesn't say who made them. */
export async function followLinks(named: string, way: Way): Promise<string> {
  let links = 0;
  return follow(resolve(named));

  async function follow(path: string): Promise<string> {
    if (dirname(path) === path) return path;
    const folder = await follow(dirname(path));
    await way.folder(folder);
    const name = basename(path);
    if (name === '.') return folder;
    if (name === '..') return dirname(folder);
    const next = join(folder, name);
    const found = await lstat(next).catch(whenMissing);
    if (!found?.isSymbolicLink()) return next;
    links += 1;
    if (links > MOST_LINKS) throw refusal(named, 'links that never end', 'through');
    await way.link(next, found);
    const target = await readlink(next);
    // Not joined: `..` after a link is the folder above its target.
    return follow(isAbsolute(target) ? target : `${folder}/${target}`);
  }
}

/** Reads at most `most` bytes; refuses devices and pipes, which may never end. */
export async function readChosenFile(named: string, most: number): Promise<Buffer> {
  // Checked first: opening a pipe waits for its writer.
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

/** Refuses links of others in folders writable by all: whoever made one would choose which file is replaced. */
async function ensureOurs(named: string, link: Stats, folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & WRITABLE_BY_ALL) === 0 || [ADMINISTRATOR, process.getuid?.()].includes(link.uid)) return;
  throw refusal(named, 'a link that another user made', 'through');
}

function whenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function refusal(named: string, what: string, leads: 'to' | 'through' = 'to'): BroadsheetError {
  return new BroadsheetError('file_refused', `${named} leads ${leads} ${what}. Choose another name.`);
}

function tooLarge(path: string): BroadsheetError {
  return new BroadsheetError('file_refused', `${path} is too large to be what was chosen.`);
}
