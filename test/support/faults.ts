import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import zlib from 'node:zlib';

/** Faults that can be injected. Options have no effect on kinds that do not name them. */
export interface FaultOptions {
  /** How many times the fault occurs; default: always. */
  times?: number;
  /** For `status503` and `status429`: seconds, an HTTP date, or null for no header. Default: one second. */
  retryAfter?: number | string | null;
  /** For `hugeBody` (bytes sent) and `zipBomb` (bytes decompressed). Default: 40 MiB. */
  bytes?: number;
  /** For `redirectElsewhere`: the target. Default: an address on another port. */
  to?: string;
  /** For `problem`. */
  status?: number;
  code?: string;
}

export type FaultKind =
  | 'status503'
  | 'status429'
  /** A problem+json response with `status` and `code`. */
  | 'problem'
  /** 502 with an HTML page, like a proxy. */
  | 'htmlPage502'
  /** The response of a captive portal. */
  | 'htmlPage200'
  | 'brokenJson'
  /** The connection closes in the middle of the body. */
  | 'cutShort'
  /** A body that is sent slowly and never ends. */
  | 'endless'
  /** The request is never answered. */
  | 'silent'
  | 'redirectLoop'
  | 'redirectElsewhere'
  | 'hugeBody'
  | 'zipBomb'
  /** The upstream's response with the type text/plain. */
  | 'wrongType'
  | 'connectionReset'
  /** The upstream's response with null, numbers and records without id in its list. */
  | 'junkRecords';

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  /** The injected fault, or null. */
  fault: FaultKind | null;
}

export interface FaultyService {
  /** The base address, without a trailing slash. */
  readonly address: string;
  readonly requests: readonly RecordedRequest[];
  /** Sets a fault for matching paths (a string matches the end of the path). If several match, the latest applies. */
  fault(path: string | RegExp, kind: FaultKind, options?: FaultOptions): void;
  /** Removes all faults. */
  mend(): void;
  forgetRequests(): void;
  close(): Promise<void>;
}

interface SetFault {
  matches(path: string): boolean;
  kind: FaultKind;
  options: FaultOptions;
  left: number;
}

type Answerer = (request: http.IncomingMessage, response: http.ServerResponse, options: FaultOptions) => void;

/** A proxy to `upstream` that injects faults; without an upstream, other requests get a 404. */
export async function startFaultyService({ upstream }: { upstream?: string } = {}): Promise<FaultyService> {
  const faults: SetFault[] = [];
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const set = faults.findLast((fault) => fault.left > 0 && fault.matches(url.pathname));
    if (set) set.left -= 1;
    requests.push({
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      fault: set?.kind ?? null,
    });
    if (!set) forward(upstream, request, response);
    else if (set.kind === 'junkRecords') forward(upstream, request, response, { body: withJunk });
    else if (set.kind === 'wrongType') forward(upstream, request, response, { type: 'text/plain' });
    else ANSWERS[set.kind](request, response, set.options);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault(path, kind, options = {}) {
      const matches = (asked: string): boolean => (typeof path === 'string' ? asked.endsWith(path) : path.test(asked));
      faults.push({ matches, kind, options, left: options.times ?? Infinity });
    },
    mend() {
      faults.length = 0;
    },
    forgetRequests() {
      requests.length = 0;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const DEFAULT_BYTES = 40 * 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
const PAGE = '<!doctype html><title>Guest network</title><p>Please sign in.';

const ANSWERS: Record<Exclude<FaultKind, 'junkRecords' | 'wrongType'>, Answerer> = {
  status503: (_, response, options) => refuse(response, { status: 503, code: 'temporarily_unavailable', ...options }),
  status429: (_, response, options) => {
    withoutDate(response);
    response.writeHead(429, retryAfter(options)).end();
  },
  problem: (_, response, options) => refuse(response, { retryAfter: null, ...options }),
  htmlPage502: (_, response) => {
    response.writeHead(502, HTML_TYPE).end(PAGE);
  },
  htmlPage200: (_, response) => {
    response.writeHead(200, HTML_TYPE).end(PAGE);
  },
  brokenJson: (_, response) => {
    response.writeHead(200, JSON_TYPE).end('{"items": [{"id": "a", "title": ');
  },
  cutShort: (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 });
    response.write('{"items": [', () => response.destroy());
  },
  endless: (_, response) => {
    response.writeHead(200, JSON_TYPE).write('{"items": [');
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  },
  silent: () => undefined,
  redirectLoop: (request, response) => {
    response.writeHead(302, { location: request.url ?? '/' }).end();
  },
  redirectElsewhere: (request, response, { to = `http://127.0.0.1:9${request.url}` }) => {
    response.writeHead(302, { location: to }).end();
  },
  hugeBody: (_, response, { bytes = DEFAULT_BYTES }) => {
    response.writeHead(200, JSON_TYPE);
    writeSpaces(response, bytes);
  },
  zipBomb: (_, response, { bytes = DEFAULT_BYTES }) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(zlib.gzipSync(Buffer.alloc(bytes, ' ')));
  },
  connectionReset: (request) => {
    request.socket.resetAndDestroy();
  },
};

function refuse(response: http.ServerResponse, options: FaultOptions): void {
  const { status = 400, code = 'invalid_request' } = options;
  const problem = {
    type: 'about:blank',
    title: 'Set by a test',
    status,
    detail: 'Set by a test.',
    code,
    requestId: 'test-1',
  };
  withoutDate(response);
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    'x-request-id': 'test-1',
    ...retryAfter(options),
  });
  response.end(JSON.stringify(problem));
}

/** The date of this computer is none of the clock of a test. */
function withoutDate(response: http.ServerResponse): void {
  response.sendDate = false;
}

function retryAfter({ retryAfter: value = 1 }: FaultOptions): http.OutgoingHttpHeaders {
  return value === null ? {} : { 'retry-after': String(value) };
}

/** Without Content-Length, so that the size is only known after reading. */
function writeSpaces(response: http.ServerResponse, bytes: number): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  let left = bytes;
  const write = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once('drain', write);
    }
    response.end();
  };
  write();
}

interface Change {
  body?: (text: string) => string;
  type?: string;
}

/** Forwards a request without compression, and without its validator if the response is modified, since a 304 could not be. */
function forward(
  upstream: string | undefined,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  change?: Change,
): void {
  if (upstream === undefined) return void response.writeHead(404).end();
  const { 'if-none-match': validator, host: _, ...headers } = request.headers;
  headers['accept-encoding'] = 'identity';
  if (validator !== undefined && !change) headers['if-none-match'] = validator;
  const address = upstream.replace(/\/+$/, '') + (request.url ?? '/');
  const onward = http.request(address, { method: request.method, headers }, (answer) => {
    handBack(answer, response, change ?? {});
  });
  onward.on('error', () => response.destroy());
  onward.end();
}

function handBack(answer: http.IncomingMessage, response: http.ServerResponse, { body, type }: Change): void {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('error', () => response.destroy());
  answer.on('end', () => {
    const {
      'content-length': _,
      'transfer-encoding': __,
      connection: ___,
      'keep-alive': ____,
      ...headers
    } = answer.headers;
    if (type !== undefined) headers['content-type'] = type;
    const text = Buffer.concat(chunks).toString('utf8');
    response.writeHead(answer.statusCode ?? 502, headers);
    response.end(body && answer.statusCode === 200 ? body(text) : text);
  });
}

const JUNK = [null, 7, 'text', [], {}, { id: '', title: 'An empty id' }, { title: 'No id' }, { id: 'no-title' }];

/** Adds {@link JUNK_COUNT} invalid records to a list of items or changes. */
function withJunk(body: string): string {
  const answer = JSON.parse(body) as Record<string, unknown>;
  for (const name of ['items', 'changes', 'data']) {
    const list = answer[name];
    if (Array.isArray(list)) answer[name] = [...JUNK.slice(0, 4), ...(list as unknown[]), ...JUNK.slice(4)];
  }
  return JSON.stringify(answer);
}

export const JUNK_COUNT = JUNK.length;
