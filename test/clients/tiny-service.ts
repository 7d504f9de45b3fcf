import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import {
  createHttpClient,
  type GetRequest,
  type HttpClient,
  type HttpClientOptions,
} from '../../src-main/clients/http/client.ts';
import { ServiceError } from '../../src-main/clients/http/service-error.ts';
import { fakeClock } from '../support/clock.ts';

const leftOpen: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of leftOpen.splice(0)) await close();
});

export function closeAfterTest(close: () => Promise<void>): void {
  leftOpen.push(close);
}

export interface TinyService {
  address: string;
  requests: http.IncomingMessage[];
}

/** A server written by a single test; it is closed after the test. */
export async function serve(handler: http.RequestListener): Promise<TinyService> {
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTest(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Sends the same response to all requests. */
export function always(
  status: number,
  headers: http.OutgoingHttpHeaders,
  body?: string | Buffer,
): http.RequestListener {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

export const JSON_TYPE = { 'content-type': 'application/json' };

export function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const created = createHttpClient({ appVersion: '1.2.3', clock: fakeClock(), log: () => undefined, ...options });
  closeAfterTest(() => created.close());
  return created;
}

export function requestTo(address: string, more: Partial<GetRequest> = {}): GetRequest {
  return { resource: 'items', baseAddress: address, path: '/api/v1/items', accept: 'application/json', ...more };
}

/** The error of a failing call. */
export async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('The call did not fail.');
}
