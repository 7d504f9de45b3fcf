import { readdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Protocol } from 'electron';
import type { Log } from '../contract/ports.ts';
import { pageFileType, pagePolicy, SAFE_HEADERS } from '../core/page.ts';
import { isPageAddress, PAGE_SCHEME } from './page-address.ts';

/** The page's files: path in the address -> file. Listed once, so that no request can name another file. */
export type PageFiles = ReadonlyMap<string, { file: string; type: string }>;

const HEADERS = {
  ...SAFE_HEADERS,
  // The page talks through the preload script, so nothing may be fetched from anywhere.
  'content-security-policy': pagePolicy("'none'"),
  'cache-control': 'no-cache',
};

/** Must run before the app is ready: later on, the scheme would be taken for one without an origin. */
export function registerPageScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built page, and nothing else, under its own scheme. */
export function servePage(protocol: Pick<Protocol, 'handle'>, folder: string, log: Log): void {
  const files = listPage(folder);
  if (!files.has('/index.html')) log('error', 'The page is not built: run "npm run build"', { folder });
  protocol.handle(PAGE_SCHEME, (request) => answerPage(files, request));
}

/** The files that lie in a folder, not those that a link in it leads to; none if it is not there. */
export function listPage(folder: string): PageFiles {
  const files = new Map<string, { file: string; type: string }>();
  for (const entry of readFolder(folder)) {
    const type = pageFileType(entry.name);
    if (!entry.isFile() || !type) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    // Node goes into a folder that is a link as into any other.
    if (realpathSync(file) !== join(realpathSync(folder), path)) continue;
    files.set(`/${path.split(sep).join('/')}`, { file, type });
  }
  return files;
}

/** Answers one request of the page: a listed file, or 404. */
export async function answerPage(files: PageFiles, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only GET is answered here.');
  if (!isPageAddress(request.url)) return plain(404, 'No such host.');
  const { pathname } = new URL(request.url);
  const found = files.get(pathname === '/' ? '/index.html' : pathname);
  if (!found) return plain(404, 'No such file.');
  const body = await readFile(found.file);
  return new Response(new Uint8Array(body), { headers: { ...HEADERS, 'content-type': found.type } });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' } });
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
