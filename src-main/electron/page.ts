import { readdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Protocol } from 'electron';
import type { Log } from '../contract/ports.ts';
import { pageFileType, pagePolicy, SAFE_HEADERS } from '../core/page-files.ts';

/** A separate origin, so that nothing else shares the page's storage or permissions. */
const PAGE_SCHEME = 'app';
const PAGE_HOST = 'broadsheet';
export const PAGE_ADDRESS = `${PAGE_SCHEME}://${PAGE_HOST}/index.html`;

/** Compares scheme and host, because `app:` URLs have no origin. */
export function isPageAddress(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === `${PAGE_SCHEME}:` && url.host === PAGE_HOST;
}

/** URL path -> file. Listed once, so that no request can reach any other file. */
export type PageFiles = ReadonlyMap<string, { file: string; type: string }>;

const HEADERS = {
  ...SAFE_HEADERS,
  'content-security-policy': pagePolicy("'none'"),
  'cache-control': 'no-cache',
};

/** Must run before the app is ready, or the scheme has no origin. */
export function registerPageScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: PAGE_SCHEME, privileges }]);
}

export function servePage(protocol: Pick<Protocol, 'handle'>, folder: string, log: Log): void {
  const files = listPage(folder);
  if (!files.has('/index.html')) log('error', 'The page has not been built. Run "npm run build"', { folder });
  protocol.handle(PAGE_SCHEME, (request) => answerPage(files, request));
}

export function listPage(folder: string): PageFiles {
  const files = new Map<string, { file: string; type: string }>();
  for (const entry of readFolder(folder)) {
    const type = pageFileType(entry.name);
    if (!entry.isFile() || !type) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    // readdir follows links to folders.
    if (realpathSync(file) !== join(realpathSync(folder), path)) continue;
    files.set(`/${path.split(sep).join('/')}`, { file, type });
  }
  return files;
}

export async function answerPage(files: PageFiles, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only GET is allowed.');
  if (!isPageAddress(request.url)) return plain(404, 'Unknown host.');
  const { pathname } = new URL(request.url);
  const found = files.get(pathname === '/' ? '/index.html' : pathname);
  if (!found) return plain(404, 'File not found.');
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
