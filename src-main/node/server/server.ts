import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import { isMethodName, type MethodName, type Reply } from '../../contract/methods.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { pageFileType } from '../../core/page-files.ts';
import { EventStreams } from './event-streams.ts';
import { answerFeed, type LiveFeeds } from './live-feeds.ts';
import { newSecret, RequestAuthenticator } from './request-authenticator.ts';
import { answer, answerText, HEADERS } from './responses.ts';

interface LoopbackOptions {
  wire: Wire;
  files: StaticFiles;
  clock: Clock;
  log: Log;
  feeds?: LiveFeeds;
  /** Default: one that is free, so that no other program can prevent the start. */
  port?: number;
  /** Browsers that signed in with the same one on the same port stay signed in. Default: a new one. */
  secret?: string;
}

export interface LoopbackServer {
  /** Contains the token. */
  address: string;
  port: number;
  close(): Promise<void>;
}

const CALLS = '/call/';
/** The name of a header, and of an element that the page reads (src-renderer/api/session-key.ts). */
const KEY_NAME = 'broadsheet-key';
const LASTING_KEY_NAME = 'broadsheet-lasting-key';
const HOW_TO_OPEN =
  'Broadsheet is running, but this browser is not signed in.\n' +
  'Run `broadsheet open`, or open the full address that `broadsheet serve` printed when it started. It ends in a token.';
const NOT_BUILT = 'The page has not been built yet. Run `npm run build` and start `broadsheet serve` again.';

/** Serves page, calls and events to browsers on this computer. Errors: those of `listen`, such as EADDRINUSE. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const server = createServer({
    // In ms, against clients that hold connections open.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  });
  const connectionLimiter = new ConnectionLimiter(server);
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const authenticator = new RequestAuthenticator(port, options.clock, options.secret ?? newSecret());
  const events = new EventStreams(options.wire, options.clock);
  const context: Context = { ...options, authenticator, events, connectionLimiter };
  // For example no file handle is free: only that connection is lost.
  server.on('error', (error) =>
    options.log('warn', 'The loopback server could not accept a connection', { reason: error.message }),
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
    if (decision.kind === 'feed') {
      if (await answerFeed(context, request, response)) context.connectionLimiter.authenticated(request.socket);
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
  if (!allowed.includes(request.method ?? '')) {
    const allow = allowed.join(', ');
    answerText(response, 405, `Allowed methods: ${allow}.`, { allow });
  } else if (path === '/events') context.events.open(response);
  else if (path === '/run') answer(response, 200, context.authenticator.run, { 'content-type': 'text/plain' });
  else if (path.startsWith(CALLS)) await answerCall(context.wire, path.slice(CALLS.length), request, response);
  else answerFile(context.files, path, response);
}

function methodsOf(path: string): string[] {
  if (path.startsWith(CALLS)) return ['POST'];
  return path === '/events' ? ['GET'] : ['GET', 'HEAD'];
}

/** In bytes. The largest regular call marks 1,000 ids of 512 characters. */
export const BODY_LIMIT = 1024 * 1024;
/** In bytes, for a call with a whole file: the limit of its guard, plus JSON escapes. */
const FILE_LIMIT = 160 * 1024 * 1024;

/** Sends a {@link Reply} with status 200, even for failed calls; 413 (size) and 415 (content type) mean no call. */
async function answerCall(
  wire: Wire,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // This type also forces a CORS preflight for pages of other origins, which is never granted.
  if (!isPlainJson(request)) {
    answerText(response, 415, 'The body must be application/json.');
    return;
  }
  const limit = method === ('data.import' satisfies MethodName) ? FILE_LIMIT : BODY_LIMIT;
  const body = await readBody(request, limit);
  if (body === 'too large') answerText(response, 413, `The body must not exceed ${limit} bytes.`);
  else if (body !== 'aborted') {
    const reply = JSON.stringify(await callWire(wire, method, body));
    answer(response, 200, reply, { 'content-type': 'application/json; charset=utf-8' });
  }
}

async function callWire(wire: Wire, method: string, body: Buffer): Promise<Reply<unknown>> {
  const fail = (error: BroadsheetError): Reply<never> => ({ ok: false, error: toFailure(error) });
  if (!isMethodName(method)) return fail(new BroadsheetError('unknown_method', 'There is no such method.'));
  let args: unknown;
  try {
    args = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return fail(new BroadsheetError('invalid_argument', `${method}: the body is not JSON.`));
  }
  // The wire's guard validates the arguments.
  return wire.call(method, args as never);
}

function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' && headers['content-encoding'] === undefined;
}

/** Reads the body up to the limit; answering discards the rest. */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve('too large');
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    for (const end of ['error', 'close']) request.once(end, () => resolve('aborted'));
  });
}

/**
 * Files with a hash in their name never change. Without a copy, a font would be fetched again for its second family
 * (styles/fonts.css). The page itself is not cached: it names the others, and may hold the key.
 */
const IMMUTABLE = { 'cache-control': 'private, max-age=31536000, immutable' };
const WITH_HASH = /^\/assets\/[^/]+-[\w-]{8}\.(?:js|css|woff2)$/;

function answerFile(files: StaticFiles, path: string, response: ServerResponse): void {
  const file = files.get(path);
  if (file) answer(response, 200, file.body, { 'content-type': file.type, ...(WITH_HASH.test(path) ? IMMUTABLE : {}) });
  // Chromium always requests this icon, and logs a 404.
  else if (path === '/favicon.ico') response.writeHead(204, HEADERS).end();
  else if (path === '/') answerText(response, 503, NOT_BUILT);
  else answerText(response, 404, 'Page not found.');
}

/** The page moves the key to the storage of its origin. The header is for programs, which need no page. */
function answerWelcome(
  files: StaticFiles,
  { cookie, key, lastingKey }: { cookie: string; key: string; lastingKey: string },
  response: ServerResponse,
): void {
  const file = files.get('/');
  const headers = { 'set-cookie': cookie, [KEY_NAME]: key };
  if (!file) return answerText(response, 503, NOT_BUILT, headers);
  const keys = [
    [KEY_NAME, key],
    [LASTING_KEY_NAME, lastingKey],
  ].map(([name, content]) => `<meta name="${name}" content="${content}">`);
  const body = file.body.toString().replace('<head>', `<head>${keys.join('')}`);
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

/** Open connections without an accepted request. */
export const CONNECTION_LIMIT = 128;

/** Closes the oldest connection; a plain limit would let other programs block the page. */
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

/** Empty without the folder, because calls work without the page. */
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
