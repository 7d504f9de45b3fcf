/**
 * Other commands use a data folder through the process that holds it (docs/decisions/128): calls and events as JSON, one a line,
 * over a socket of the file system that only this user can open.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BroadsheetError, toFailure } from '../contract/errors.ts';
import { EVENT_NAMES, type EventName } from '../contract/events.ts';
import type { Reply } from '../contract/methods.ts';
import type { Log } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { writeAtomically } from './files/atomic-write.ts';

/** Has the path of the socket. */
const NAME = 'calls.json';
const SOCKET = 'socket';
const OWN = 'calls-';
/** In bytes: a path of a socket has at most 103 on some systems. */
const LONGEST_FOLDER = 80;
const MAX_CONNECTIONS = 16;
/** In characters: an import sends a whole file. */
const MAX_LINE = 160 * 1024 * 1024;
/** In ms, to a process on this computer. */
const PATIENCE = 2_000;

interface Request {
  id: number;
  method: string;
  args: unknown;
}

/** Asks for events. */
const LISTEN = { listen: true };

type Message = { id: number; reply: Reply<unknown> } | { event: EventName; payload: unknown };

/** The caller holds the lock of the folder. Failures are only logged: everything else works. Returns the function that ends it. */
export async function listenForCalls(folder: string, wire: Wire, log: Log): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    answer(socket, wire);
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    const path = newPath(folder);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
    // Without a free file handle only one connection is lost.
    server.on('error', () => undefined);
    await writeAtomically(join(folder, NAME), `${JSON.stringify({ path })}\n`);
    return async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(join(folder, NAME), { force: true });
      removeSocket(path);
    };
  } catch (error) {
    server.close();
    log('warn', 'Other commands must wait until Broadsheet is closed', { reason: String(error) });
    return () => Promise.resolve();
  }
}

/** Null if no process holds the folder, or it does not answer. */
export async function callsOfRunning(folder: string): Promise<{ wire: Wire; close(): void } | null> {
  const path = rememberedPath(folder);
  if (path === null) return null;
  const socket = connect(path);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.setTimeout(PATIENCE, () => resolve(false));
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  if (!isOpen) socket.destroy();
  socket.setTimeout(0);
  return isOpen ? { wire: wireOver(socket), close: () => void socket.destroy() } : null;
}

/** In a new folder that only this user may open, because a socket has the mode of the process. */
function newPath(folder: string): string {
  // A name that nobody can guess: another user could take it first.
  if (process.platform === 'win32') return `\\\\.\\pipe\\broadsheet-${randomBytes(16).toString('hex')}`;
  const left = rememberedPath(folder);
  if (left !== null) removeSocket(left);
  const place = Buffer.byteLength(folder) <= LONGEST_FOLDER ? folder : tmpdir();
  return join(mkdtempSync(join(place, OWN)), SOCKET);
}

/** Nothing else: the data folder may also be one that holds other files. */
function removeSocket(path: string): void {
  if (basename(path) !== SOCKET || !basename(dirname(path)).startsWith(OWN)) return;
  try {
    rmSync(path, { force: true });
    rmdirSync(dirname(path));
  } catch {
    // It stays empty.
  }
}

function rememberedPath(folder: string): string | null {
  try {
    const { path } = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as { path?: unknown };
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}

function answer(socket: Socket, wire: Wire): void {
  const say = (message: Message): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
  };
  const stops: (() => void)[] = [];
  socket.on('close', () => {
    for (const stop of stops) stop();
  });
  onLines(socket, (line) => {
    const request = JSON.parse(line) as Request | typeof LISTEN;
    if (!('id' in request)) {
      stops.push(...EVENT_NAMES.map((event) => wire.on(event, (payload) => say({ event, payload }))));
      return;
    }
    // Both are checked there.
    void wire.call(request.method as never, request.args as never).then((reply) => say({ id: request.id, reply }));
  });
}

function wireOver(socket: Socket): Wire {
  const calls = new Map<number, (reply: Reply<never>) => void>();
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const ended = new BroadsheetError('closed', 'Broadsheet was closed before it answered.', { retryable: true });
  let lastId = 0;
  onLines(socket, (line) => {
    const message = JSON.parse(line) as Message;
    if ('event' in message) {
      for (const listener of listeners.get(message.event) ?? []) listener(message.payload as never);
      return;
    }
    calls.get(message.id)?.(message.reply as Reply<never>);
    calls.delete(message.id);
  });
  const end = (): void => {
    for (const resolve of calls.values()) resolve({ ok: false, error: toFailure(ended) });
    calls.clear();
  };
  socket.on('close', end);
  return {
    call: (method, args) =>
      new Promise((resolve) => {
        const id = (lastId += 1);
        calls.set(id, resolve);
        if (socket.destroyed) end();
        else socket.write(`${JSON.stringify({ id, method, args } satisfies Request)}\n`);
      }),
    on: (event, listener) => {
      if (listeners.size === 0) socket.write(`${JSON.stringify(LISTEN)}\n`);
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known);
      known.add(listener);
      return () => void known.delete(listener);
    },
  };
}

/** Ends the connection with what is no JSON, or too long. */
function onLines(socket: Socket, take: (line: string) => void): void {
  let pending: string[] = [];
  let length = 0;
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const [first = '', ...lines] = chunk.split('\n');
    pending.push(first);
    length += first.length;
    try {
      if (length > MAX_LINE) throw new RangeError('The line is too long.');
      for (const next of lines) {
        const line = pending.join('');
        pending = [next];
        length = next.length;
        take(line);
      }
    } catch {
      socket.destroy();
    }
  });
}
