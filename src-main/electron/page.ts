import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Protocol } from 'electron';
import type { Log } from '../contract/ports.ts';
import { isPageAddress, PAGE_SCHEME } from './page_address.ts';

/** The page's files: path in the address -> file. Listed once, so that no request can name another file. */
export type PageFiles = ReadonlyMap<string, { file: string; type: string }>;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

// Everything is off and only what the page needs is on. It talks through the preload script, so nothing may be
// fetched from anywhere; Svelte names the one policy through which its own templates become elements.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
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

/** The files under a folder; none if it is not there. */
export function listPage(folder: string): PageFiles {
  const files = new Map<string, { file: string; type: string }>();
  for (const entry of readFolder(folder)) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(`/${relative(folder, file).split(sep).join('/')}`, { file, type });
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
  return new Response(new Uint8Array(body), { headers: { ...HEADERS, 'Content-Type': found.type } });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } });
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
