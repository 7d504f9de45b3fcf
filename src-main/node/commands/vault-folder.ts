import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, opendir } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomically } from '../../core/files/atomic-write.ts';
import { placeToWrite } from '../../core/files/chosen-file.ts';
import type { VaultFile } from '../../contract/model/export.ts';
import { MachineError } from '../shell.ts';
import { explainErrors, makeFolder } from './files.ts';

const MAX_ENTRIES = 50_000;
/** In bytes: several times the longest file that is written. */
const LARGEST_FILE = 512 * 1024;

/** A file has its id and the hash of its rest in its front matter: people rename files, and devices share folders. */
const HASH = /^---\nbroadsheet-hash: "([0-9a-f]{64})"\n/;
/** In the front matter, however an editor wrote it again. */
const ID = /^broadsheet-id: *["']?(urn:uuid:[0-9a-f-]{36})["']? *$/m;

export interface Vault {
  folder: string;
  /** Never replaces a file that a person changed, or one that is not of the vault. */
  write(file: VaultFile): Promise<{ name: string; outcome: 'written' | 'unchanged' | 'changed' }>;
  /** Counts files of what has neither a star nor a note any more. */
  countOthers(): number;
}

/** Reads the files in the folder, not in those below it, and follows no links out of it. */
export async function openVault(named: string, ownFolders: readonly string[]): Promise<Vault> {
  await makeFolder(named, ownFolders);
  const folder = await placeToWrite(named, ownFolders);
  const names = await explainErrors(
    (why) => `Cannot read the folder ${folder}: ${why}.`,
    () => namesById(folder),
  );
  const seen = new Set<string>();
  return {
    folder,
    write: async (file) => {
      seen.add(file.id);
      const name = names.get(file.id) ?? file.name;
      const outcome = await explainErrors(
        (why) => `Cannot write ${path.join(folder, name)}: ${why}. The files written before it are complete.`,
        () => writeFile(path.join(folder, name), file),
      );
      return { name, outcome };
    },
    countOthers: () => [...names.keys()].filter((id) => !seen.has(id)).length,
  };
}

async function namesById(folder: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const changed = new Set<string>();
  let entries = 0;
  for await (const { name } of await opendir(folder)) {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new MachineError(`${folder} has too many files. Choose an empty folder.`);
    const text = name.toLowerCase().endsWith('.md') ? await readOwn(path.join(folder, name)) : null;
    const id = idOf(text ?? '');
    if (id === null || text === null) continue;
    // Prefers a copy that nobody changed.
    if (names.has(id) && !changed.has(id)) continue;
    names.set(id, name);
    if (isAsWritten(text)) changed.delete(id);
    else changed.add(id);
  }
  return names;
}

async function writeFile(file: string, { id, text }: VaultFile): Promise<'written' | 'unchanged' | 'changed'> {
  const signed = text.replace('---\n', `---\nbroadsheet-hash: "${hashOf(text)}"\n`);
  const there = await readOwn(file);
  if (there === signed) return 'unchanged';
  if (there !== null && (idOf(there) !== id || !isAsWritten(there))) return 'changed';
  await writeAtomically(file, signed, { keepsMode: true });
  return 'written';
}

function isAsWritten(text: string): boolean {
  const [head, hash] = HASH.exec(text) ?? [];
  return head !== undefined && hash === hashOf(`---\n${text.slice(head.length)}`);
}

function idOf(text: string): string | null {
  const [, head = ''] = /^---\n([^]*?)\n---(?:\n|$)/.exec(text) ?? [];
  return ID.exec(head)?.[1] ?? null;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Null for a missing file; empty for a link, a device and what is too large to be one of ours. */
async function readOwn(file: string): Promise<string | null> {
  const found = await lstat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (!found) return null;
  if (!found.isFile() || found.size > LARGEST_FILE) return '';
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0);
    // Git and editors may change the ends of lines.
    return buffer.toString('utf8', 0, bytesRead).replaceAll('\r\n', '\n');
  } finally {
    await handle.close();
  }
}
