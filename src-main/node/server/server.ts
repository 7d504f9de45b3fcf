import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { pageFileType } from '../../core/page-files.ts';
import { answerCall } from './calls.ts';
import { EventStreams } from './event-streams.ts';
import { RequestAuthenticator } from './request-authenticator.ts';
import { answer, answerText, HEADERS, refuseMethod } from './responses.ts';

export interface LoopbackOptions {
  wire: Wire;
  files: StaticFiles;
  clock: Clock;
  log: Log;
  /** 0 (default): the system chooses. */
  port?: number;
}

export interface LoopbackServer {
  /** Opens the page in a browser. Contains the token. */
  address: string;
  port: number;
  close(): Promise<void>;
}

const CALLS = '/call/';
/** The name of a header, and of an element that the page reads (src-renderer/api/session-key.ts). */
const KEY_NAME = 'broadsheet-key';
const HOW_TO_OPEN =
  'Broadsheet is running, but this browser is not signed in.\n' +
  'Open the full address that `broadsheet serve` printed when it started. It ends in a token.';
const NOT_BUILT = 'The page has not been built yet. Run `npm run build` and start `broadsheet serve` again.';

/** Serves page, calls and events to browsers on this computer. Errors: those of `listen`, such as EADDRINUSE. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const server = createServer({
    // Timeouts in ms, against clients that hold connections open.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  });
  const connectionLimiter = new ConnectionLimiter(server);
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const authenticator = new RequestAuthenticator(port, options.clock);
  const events = new EventStreams(options.wire, options.clock);
  const context: Context = { ...options, authenticator, events, connectionLimiter };
  // For example no file handle is free: only that connection is lost.
  server.on('error', (error) =>
    options.log('warn', 'The loopback server could not accept a connection', { cause: error.message }),
  );
  server.on('request', (request, response) => void respond(context, request, response));
  return { address: authenticator.address, port, close: () => closeServer(server, events) };
}

interface Context extends LoopbackOptions {
  authenticator: RequestAuthenticator;
  events: EventStreams;
  connectionLimiter: ConnectionLimiter;
}

async function respond(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const decision = context.authenticator.authenticate(request);
    if (decision.kind === 'refused') {
      context.log('debug', 'Request refused', { why: decision.why });
      answerText(response, decision.status, HOW_TO_OPEN);
      return;
    }
    context.connectionLimiter.authenticated(request.socket);
    if (decision.kind === 'exchange') {
      answer(response, 303, '', { 'set-cookie': decision.cookie, location: decision.location });
    } else if (decision.kind === 'welcome') answerWelcome(context.files, decision, response);
    else if (decision.kind === 'home') answer(response, 303, '', { location: '/' });
    else await route(context, request, response);
  } catch (error) {
    context.log('error', 'Request failed', { cause: error instanceof Error ? error.message : 'unknown' });
    if (response.headersSent) response.destroy();
    else answerText(response, 500, 'Unexpected error in Broadsheet. Try again, or restart `broadsheet serve`.');
  }
}

async function route(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? '/';
  const allowed = methodsOf(path);
  if (!allowed.includes(request.method ?? '')) refuseMethod(response, allowed);
  else if (path === '/events') context.events.open(response);
  else if (path.startsWith(CALLS)) await answerCall(context.wire, path.slice(CALLS.length), request, response);
  else answerFile(context.files, path, response);
}

function methodsOf(path: string): string[] {
  if (path.startsWith(CALLS)) return ['POST'];
  return path === '/events' ? ['GET'] : ['GET', 'HEAD'];
}

/**
 * Files with a hash in their name never change, and hold nothing of the reader's. Without a copy, a font would be
 * fetched again for its second family (styles/fonts.css). The page itself is never kept: it names the others, and may
 * hold the key.
 */
const KEPT = { 'cache-control': 'private, max-age=31536000, immutable' };
const WITH_HASH = /^\/assets\/[^/]+-[\w-]{8}\.(?:js|css|woff2)$/;

function answerFile(files: StaticFiles, path: string, response: ServerResponse): void {
  const file = files.get(path);
  if (file) answer(response, 200, file.body, { 'content-type': file.type, ...(WITH_HASH.test(path) ? KEPT : {}) });
  // Chromium always requests this icon, and reports a 404 in its console.
  else if (path === '/favicon.ico') response.writeHead(204, HEADERS).end();
  else if (path === '/') answerText(response, 503, NOT_BUILT);
  else answerText(response, 404, 'Page not found.');
}

/** The page moves the key to the storage of its origin. The header is for programs, which need no page. */
function answerWelcome(
  files: StaticFiles,
  { cookie, key }: { cookie: string; key: string },
  response: ServerResponse,
): void {
  const file = files.get('/');
  const headers = { 'set-cookie': cookie, [KEY_NAME]: key };
  if (!file) return answerText(response, 503, NOT_BUILT, headers);
  const body = file.body.toString().replace('<head>', `<head><meta name="${KEY_NAME}" content="${key}">`);
  answer(response, 200, body, { 'content-type': file.type, ...headers });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closeServer(server: Server, events: EventStreams): Promise<void> {
  events.close();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Maximum number of open connections without an accepted request. */
export const CONNECTION_LIMIT = 128;

/** Closes the oldest connection without an accepted request: a plain limit would let other programs block the page. */
class ConnectionLimiter {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  authenticated(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#sockets.size <= CONNECTION_LIMIT) return;
    // Sets keep insertion order.
    const [oldest] = this.#sockets;
    oldest?.destroy();
  }
}

interface StaticFile {
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
