import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Clock } from '../../src-main/contract/ports.ts';

/** One request received by the service, and its response. */
export interface ObservedRequest {
  /** ms since 1970, from the given clock. */
  at: number;
  method: string;
  path: string;
  query: string;
  conditional: boolean;
  /** 0 without a response. */
  status: number;
  /** `s-maxage` and Retry-After of the response, in ms; 0 without one. */
  lifetime: number;
  retryAfter: number;
}

/** The valid parameters of each address (document 1 section 4; observed-2-parameters). */
const PARAMETERS: [RegExp, string[]][] = [
  [/^\/api\/v1\/items$/, ['mode', 'category', 'window', 'by', 'q', 'limit', 'cursor']],
  [/^\/api\/v1\/selected\/snapshot$/, ['fields', 'limit', 'page']],
  [/^\/api\/v1\/selected\/changes$/, ['cursor', 'limit']],
  [/^\/api\/v1\/(dailies|weeklies|monthlies)$/, ['limit']],
  [/^\/api\/v1\/(dailies|weeklies|monthlies)\/[^/]+$/, []],
  [/^\/api\/v1\/(hot-topics|agent|stories\/[^/]+)$/, []],
  [/^\/api\/v1\/(models\/user|embeddings\/models)$/, ['offset', 'limit']],
];
const LABELS = { dailies: 'date', weeklies: 'week', monthlies: 'month' } as const;

/** Records every request to a demo service and checks it for politeness. Pass `watch` as its `intercept`. */
export class Observed {
  readonly requests: ObservedRequest[] = [];
  /** Descriptions of all violations; should be empty. */
  readonly breaches: string[] = [];
  readonly #clock: Clock;
  /** Story ids and labels (`dailies/2026-03-18`) from responses so far. */
  readonly #given = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const entry: ObservedRequest = {
      at: this.#clock.now(),
      method: request.method ?? '',
      path,
      query,
      conditional: request.headers['if-none-match'] !== undefined,
      status: 0,
      lifetime: 0,
      retryAfter: 0,
    };
    this.requests.push(entry);
    this.#judge(entry);
    this.#overhear(entry, response);
  }

  #judge({ method, path, query }: ObservedRequest): void {
    const breach = (what: string): void => void this.breaches.push(`${method} ${path}?${query}: ${what}`);
    const known = PARAMETERS.find(([pattern]) => pattern.test(path))?.[1];
    if (method !== 'GET') breach('no GET');
    if (!known) return breach('no such address');
    const names = [...new URLSearchParams(query)];
    if (new Set(names.map(([name]) => name)).size < names.length) breach('a repeated parameter');
    for (const [name, value] of names) {
      if (!known.includes(name)) breach(`an unknown parameter ${name}`);
      if (value.trim() === '') breach(`an empty parameter ${name}`);
    }
    const [, resource = '', key = ''] = /^\/api\/v1\/([a-z-]+)\/([^/]+)$/.exec(path) ?? [];
    const isLabel = resource in LABELS && key !== 'latest';
    if ((isLabel || resource === 'stories') && !this.#given.has(`${resource}/${decodeURIComponent(key)}`)) {
      breach('a key that no answer held');
    }
  }

  /** Records the status, and collects ids and labels from bodies. */
  #overhear(entry: ObservedRequest, response: ServerResponse): void {
    let coding: string | undefined;
    const writeHead = response.writeHead.bind(response) as (
      status: number,
      headers?: OutgoingHttpHeaders,
    ) => ServerResponse;
    const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
    response.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
      entry.status = status;
      entry.lifetime = secondsIn(/s-maxage=(\d+)/.exec(String(headers['cache-control']))?.[1]);
      entry.retryAfter = secondsIn(headers['retry-after']);
      coding = headers['content-encoding']?.toString();
      // The story that it was merged into.
      const [, survivor] = /\/(stories\/[^/?#]+)$/.exec(headers['location'] ?? '') ?? [];
      if (survivor !== undefined) this.#given.add(survivor);
      return writeHead(status, headers);
    }) as typeof response.writeHead;
    response.end = ((body?: unknown) => {
      if (entry.status === 200 && body instanceof Buffer) this.#learn(entry.path, unpack(body, coding));
      return end(body);
    }) as typeof response.end;
  }

  #learn(path: string, read: () => unknown): void {
    const [, resource = ''] = /^\/api\/v1\/([a-z-]+)/.exec(path) ?? [];
    if (resource === 'hot-topics' || resource === 'stories') this.#learnStories(read());
    else if (resource in LABELS) this.#learnLabels(resource as keyof typeof LABELS, read());
  }

  #learnStories(answer: unknown): void {
    const { items = [], story } = answer as {
      items?: { links: { story?: string } }[];
      story?: { publicId: string; storyline: { publicId: string }[]; related: { publicId: string }[] };
    };
    const linked = items.map(({ links }) => links.story?.split(/[?#]/)[0]?.split('/').at(-1));
    const neighbours = story ? [story, ...story.storyline, ...story.related].map(({ publicId }) => publicId) : [];
    for (const id of [...linked, ...neighbours]) if (id) this.#given.add(`stories/${id}`);
  }

  #learnLabels(resource: keyof typeof LABELS, answer: unknown): void {
    const { items = [], report } = answer as { items?: Record<string, string>[]; report?: Record<string, string> };
    for (const line of report ? [report] : items) this.#given.add(`${resource}/${line[LABELS[resource]] ?? ''}`);
  }
}

/**
 * Requests that were sent too early: to one address before its `s-maxage` had passed, or to one resource before its
 * Retry-After had passed. As text.
 */
export function brokenFloors(requests: readonly ObservedRequest[]): string[] {
  const free = new Map<string, number>();
  const broken: string[] = [];
  const hold = (key: string, until: number): void => void free.set(key, Math.max(until, free.get(key) ?? 0));
  for (const request of requests) {
    const { at, path, query, status, lifetime, retryAfter } = request;
    const [address, resource] = [`${path}?${query}`, resourceOf(request)];
    const until = Math.max(free.get(address) ?? 0, free.get(resource) ?? 0);
    if (at < until) broken.push(`${new Date(at).toISOString()} ${address}: ${String((until - at) / 1000)} s too soon`);
    if (status === 200 || status === 304) hold(address, at + lifetime);
    if (status === 503 || status === 429) hold(resource, at + retryAfter);
  }
  return broken;
}

/** The resource of a request, with the names in `sync --json`. */
export function resourceOf({ path }: ObservedRequest): string {
  const name = /^\/api\/v1\/([a-z-]+)/.exec(path)?.[1] ?? path;
  return name === 'hot-topics' ? 'hotTopics' : name;
}

function unpack(body: Buffer, coding: string | undefined): () => unknown {
  return () => {
    const bytes = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
    return JSON.parse(bytes.toString()) as unknown;
  };
}

function secondsIn(text: unknown): number {
  return Number(text ?? 0) * 1000;
}
