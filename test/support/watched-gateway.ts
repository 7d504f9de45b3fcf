import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from './clock.ts';
import type { Evidence } from './leaks.ts';

/** How a gateway answers `models/user` instead of with the model list. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

export interface WatchedService {
  service: DemoService;
  /** Applies until set to null, which restores the service's responses. */
  fault: Fault | null;
  /** The excluded evidence: the one header that may contain the key. */
  authorizations: { path: string; value: string }[];
}

const MODEL_LISTS = /^\/api\/v1\/(models\/user|embeddings\/models)(\?|$)/;

/** A demo service that records every request, except for the one header that may contain a key, on the two model lists. */
export async function watchService(name: string, modelsKey: string, evidence: Evidence): Promise<WatchedService> {
  const watched: Omit<WatchedService, 'service'> = { fault: null, authorizations: [] };
  const service = await startDemoService({
    clock: fakeClock('2026-03-18T06:30:00Z'),
    content: { selected: 12, days: 3 },
    modelsKey,
    intercept(request, response) {
      const { authorization, ...headers } = request.headers;
      const path = request.url ?? '';
      const belongs = MODEL_LISTS.test(path);
      evidence.add(`requests to ${name}`, JSON.stringify([request.method, path, belongs ? headers : request.headers]));
      if (belongs && authorization !== undefined) watched.authorizations.push({ path, value: authorization });
      if (!watched.fault || !path.startsWith('/api/v1/models/user')) return false;
      watched.fault(request, response);
      return true;
    },
  });
  return Object.assign(watched, { service });
}

export interface ForeignServer {
  address: string;
  /** The requests received. */
  readonly reached: string[];
  close(): Promise<void>;
}

/** A server that must not receive any request. */
export async function startForeignServer(evidence: Evidence): Promise<ForeignServer> {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(request.url ?? '');
    evidence.add('requests to another server', JSON.stringify([request.url, request.rawHeaders]));
    response.end('{"data": []}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

/** An error response that quotes the request everywhere. */
export function quoting(status: number): Fault {
  return (request, response) => {
    const key = keyOf(request);
    const words = [key, encodeURIComponent(key), Buffer.from(key).toString('base64'), `Bearer ${key}`].join(' or ');
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': key,
      etag: `"${key}"`,
      'x-quoted': key,
    });
    // Long enough that the message is cut, even in the middle of the key.
    const message = `${'You sent a key. '.repeat(17)}It was ${words}.`;
    response.end(JSON.stringify({ error: { code: status, message } }));
  };
}

/** A model list that quotes the key in a model. */
export const QUOTING_MODEL_LIST: Fault = (request, response) => {
  const key = keyOf(request);
  response.writeHead(200, { 'content-type': 'application/json', etag: `"${key}"` });
  const model = { id: 'quoting/model', name: `Model for ${key}`, description: key, pricing: {}, remembered: { key } };
  response.end(JSON.stringify({ data: [model], total_count: 1 }));
};

/** A response that is not JSON, with the key as its type. */
export const QUOTING_NONSENSE: Fault = (request, response) => {
  response.writeHead(200, { 'content-type': `text/${keyOf(request)}` }).end(`not JSON: ${keyOf(request)}`);
};

export const QUOTING_BROKEN_JSON: Fault = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"data": ["${keyOf(request)}"`);
};

export function redirecting(address: string): Fault {
  return (_request, response) => response.writeHead(302, { location: `${address}/api/v1/models/user` }).end();
}

/** A first page with a next page on another server. */
export function continuing(address: string): Fault {
  return (_request, response) => {
    const links = { next: `${address}/api/v1/models/user?offset=1&limit=1` };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'a/b', name: 'A B' }], links, total_count: 2 }));
  };
}

function keyOf({ headers }: IncomingMessage): string {
  return headers.authorization?.replace(/^Bearer /, '') ?? 'none';
}
