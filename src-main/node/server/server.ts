import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { RequestAuthenticator } from './request-authenticator.ts';
import { answerCall } from './calls.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { EventStreams } from './event-streams.ts';
import { answer, answerText, HEADERS, refuseMethod } from './responses.ts';
import type { StaticFiles } from './static-files.ts';

export interface LoopbackOptions {
  wire: Wire;
  files: StaticFiles;
  clock: Clock;
  log: Log;
  /** 0, the default, lets the system choose. */
  port?: number;
}

export interface LoopbackServer {
  /** Where a browser is let in. Holds the token. */
  address: string;
  port: number;
  close(): Promise<void>;
}

const CALLS = '/call/';
const HOW_TO_OPEN =
  'Broadsheet is running, but this browser is not signed in.\n' +
  'Open the full address that `broadsheet serve` printed when it started. It ends in a token.';
const NOT_BUILT = 'The page has not been built yet. Run `npm run build` and start `broadsheet serve` again.';

/** Serves the page, the calls and the events to this machine's own browser. Errors: those of `listen`, such as EADDRINUSE. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const server = createServer({
    // Milliseconds. Who has not finished asking by then holds a connection for nothing.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  });
  const connectionLimiter = new ConnectionLimiter(server);
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const door = new RequestAuthenticator(port);
  const events = new EventStreams(options.wire, options.clock);
  const room: Room = { ...options, door, events, connectionLimiter };
  // Such as no file handle left for one more connection: that one is lost, the others go on.
  server.on('error', (error) =>
    options.log('warn', 'The loopback server could not take a connection', { cause: error.message }),
  );
  server.on('request', (request, response) => void respond(room, request, response));
  return { address: door.address, port, close: () => closeServer(server, events) };
}

interface Room extends LoopbackOptions {
  door: RequestAuthenticator;
  events: EventStreams;
  connectionLimiter: ConnectionLimiter;
}

async function respond(room: Room, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const admission = room.door.admit(request);
    if (admission.kind === 'refused') {
      room.log('debug', 'Refused a request', { why: admission.why });
      answerText(response, admission.status, HOW_TO_OPEN);
      return;
    }
    room.connectionLimiter.known(request.socket);
    if (admission.kind === 'exchange') answer(response, 303, '', { 'set-cookie': admission.cookie, location: '/' });
    else await route(room, request, response);
  } catch (error) {
    room.log('error', 'A request failed', { cause: error instanceof Error ? error.message : 'unknown' });
    if (response.headersSent) response.destroy();
    else answerText(response, 500, 'Something went wrong in Broadsheet.');
  }
}

async function route(room: Room, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? '/';
  const allowed = methodsOf(path);
  if (!allowed.includes(request.method ?? '')) refuseMethod(response, allowed);
  else if (path === '/events') room.events.open(response);
  else if (path.startsWith(CALLS)) await answerCall(room.wire, path.slice(CALLS.length), request, response);
  else answerFile(room.files, path, response);
}

function methodsOf(path: string): string[] {
  if (path.startsWith(CALLS)) return ['POST'];
  return path === '/events' ? ['GET'] : ['GET', 'HEAD'];
}

function answerFile(files: StaticFiles, path: string, response: ServerResponse): void {
  const file = files.get(path);
  if (file) answer(response, 200, file.body, { 'content-type': file.type });
  // Chromium asks for an icon whatever the page says, and reports a 404 in its console.
  else if (path === '/favicon.ico') response.writeHead(204, HEADERS).end();
  else if (path === '/') answerText(response, 503, NOT_BUILT);
  else answerText(response, 404, 'Page not found.');
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
