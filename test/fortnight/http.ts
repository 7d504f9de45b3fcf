import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface HttpRequest {
  method: string;
  /** With the query, as it was sent. */
  url: string;
  headers: IncomingHttpHeaders;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Listening {
  origin: string;
  close(): Promise<void>;
}

/** Serves on loopback. `pass` lets time pass until the present, and returns it. An answer of null is a connection that is reset. */
export async function listen(
  answer: (request: HttpRequest, origin: string) => HttpAnswer | null,
  pass: () => number,
): Promise<Listening> {
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const date = new Date(pass()).toUTCString();
    const made = answer({ method, url, headers }, origin);
    if (made === null) {
      request.socket.resetAndDestroy();
      return;
    }
    const zip = made.body !== '' && /\bgzip\b/u.test(headers['accept-encoding'] ?? '');
    response.writeHead(made.status, { date, ...made.headers, ...(zip && { 'content-encoding': 'gzip' }) });
    if (method === 'HEAD' || made.body === '') response.end();
    else response.end(zip ? gzipSync(made.body, { level: 1 }) : made.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
