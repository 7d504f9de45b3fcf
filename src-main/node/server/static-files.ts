import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pageFileType } from '../../core/page.ts';

export interface StaticFile {
  body: Buffer;
  type: string;
}

/** The page's files by request path. Paths are only looked up, never resolved, so no other file can be reached. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Reads the built page (goal: 150 kB compressed). Empty without the folder, because calls work without the page. */
export async function readStaticFiles(folder: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const type = pageFileType(entry.name) ?? 'application/octet-stream';
    files.set(requestPath(folder, file), { body: await readFile(file), type });
  }
  const index = files.get('/index.html');
  if (index) files.set('/', index);
  return files;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function requestPath(folder: string, file: string): string {
  const names = path.relative(folder, file).split(path.sep);
  return `/${names.map(encodeURIComponent).join('/')}`;
}
