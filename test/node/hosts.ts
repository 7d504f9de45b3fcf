import { request } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Args, MethodName, Reply, Result } from '../../src-main/contract/methods.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { EventName, Events } from '../../src-main/contract/events.ts';
import type { Log } from '../../src-main/contract/ports.ts';
import { startLoopbackServer, type LoopbackServer, type StaticFiles } from '../../src-main/node/server/server.ts';
import { fakeClock } from '../support/clock.ts';
import type { FakeClock } from '../support/clock.ts';
import { keyIn } from '../support/sign-in.ts';

export const silentLog: Log = () => undefined;

/** A minimal core: it returns its arguments, or fails on request. */
export class EchoWire implements Wire {
  readonly calls: { method: string; args: unknown }[] = [];
  readonly #listeners = new Map<EventName, Set<(payload: never) => void>>();

  async call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    this.calls.push({ method, args });
    return { ok: true, value: { method, args } as never };
  }

  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  emit<E extends EventName>(event: E, payload: Events[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload as never);
  }

  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, listeners) => sum + listeners.size, 0);
  }
}

export const PAGE: StaticFiles = new Map([
  ['/', { body: Buffer.from('<!doctype html><head></head>page'), type: 'text/html; charset=utf-8' }],
  ['/assets/app.js', { body: Buffer.from('run()'), type: 'text/javascript; charset=utf-8' }],
  ['/assets/start-Bfi-NJd-.js', { body: Buffer.from('start()'), type: 'text/javascript; charset=utf-8' }],
  ['/assets/start-D4J_yGOA.css', { body: Buffer.from(''), type: 'text/css; charset=utf-8' }],
  ['/first-paint.js', { body: Buffer.from(''), type: 'text/javascript; charset=utf-8' }],
  ['/assets/text-BVZ5su8S.woff2', { body: Buffer.from('font'), type: 'font/woff2' }],
]);

export interface Room {
  wire: EchoWire;
  clock: FakeClock;
  server: LoopbackServer;
  /** `name=value` of the session, as a browser sends it. */
  cookie: string;
  /** The page's key for calls and events. */
  key: string;
  origin: string;
}

export async function openRoom(files: StaticFiles = PAGE): Promise<Room> {
  const wire = new EchoWire();
  const clock = fakeClock();
  const server = await startLoopbackServer({ wire, clock, files, log: silentLog });
  const { origin, search } = new URL(server.address);
  const { headers } = await ask(server.port, { path: `/${search}` });
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const page = await ask(server.port, { path: headers.location ?? '', headers: { cookie } });
  return { wire, clock, server, cookie, key: keyIn(page.text), origin };
}

export interface Question {
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends one request unchanged: unlike `fetch` with any Host, Origin and path, and without following redirects. */
export function ask(port: number, { method = 'GET', path = '/', headers = {}, body }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
