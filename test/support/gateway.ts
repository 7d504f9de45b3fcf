import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Json, ModelRecord } from '../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../src-main/contract/model/resource.ts';
import type { EngineGateway } from '../../src-main/sync/engine/services.ts';

export const KEY = 'sk-a-key-that-may-list-models-0001';
export const OTHER_KEY = 'sk-another-key-that-may-list-0002';
/** Valid, but not a management key. */
export const FOREIGN_KEY = 'sk-a-key-that-may-not-list-0003';

export interface GatewayRequest {
  modelList: ModelListName | null;
  query: URLSearchParams;
  authorization: string | undefined;
  validator: string | undefined;
}

/** A gateway with model lists that the test controls. It closes at the latest after the test. */
export interface TestGateway {
  readonly address: string;
  models: ModelRecord[];
  embeddings: ModelRecord[];
  /** Models per page, even without a limit; null for everything at once. */
  pageSize: number | null;
  /** The models of a certain key, if they differ from the others. */
  modelsOf: Map<string, ModelRecord[]>;
  readonly requests: GatewayRequest[];
  /** Gets each request first; returns true if it has answered it. */
  intercept: ((request: GatewayRequest, response: http.ServerResponse) => boolean) | null;
  /** The source of an engine that uses it. */
  asked(key?: string | null): EngineGateway;
  close(): Promise<void>;
}

const MODEL_LIST_AT: Record<string, ModelListName> = {
  '/api/v1/models/user': 'models',
  '/api/v1/embeddings/models': 'embeddings',
};

export async function startGateway(given: Partial<Pick<TestGateway, 'models' | 'embeddings' | 'pageSize'>> = {}) {
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', gateway.address);
    const { authorization, 'if-none-match': validator } = request.headers;
    const asked = { modelList: MODEL_LIST_AT[url.pathname] ?? null, query: url.searchParams, authorization, validator };
    gateway.requests.push(asked);
    if (gateway.intercept?.(asked, response)) return;
    answer(gateway, asked, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway: TestGateway = {
    address,
    models: given.models ?? [],
    embeddings: given.embeddings ?? [],
    pageSize: given.pageSize ?? null,
    modelsOf: new Map(),
    requests: [],
    intercept: null,
    asked: (key = KEY) => ({
      source: { address, demo: false, from: 'option' },
      key,
      keyEnding: key === null ? null : key.slice(-4),
    }),
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A model with every field of document 2. */
export function modelRecord(id: string, fields: Record<string, Json> = {}): ModelRecord {
  return {
    id,
    canonical_slug: `${id}-2026`,
    name: `The ${id}`,
    description: `What ${id} is good for.`,
    created: 1_770_000_000,
    context_length: 128_000,
    architecture: {
      input_modalities: ['text', 'image'],
      output_modalities: ['text'],
      modality: 'text+image->text',
      instruct_type: null,
      tokenizer: 'Other',
    },
    pricing: { prompt: '0.00000015', completion: '0.0000006', image: '0', request: '0' },
    top_provider: { context_length: 128_000, is_moderated: false, max_completion_tokens: 16_384 },
    supported_parameters: ['temperature', 'tools'],
    supported_voices: null,
    default_parameters: null,
    expiration_date: null,
    knowledge_cutoff: null,
    per_request_limits: null,
    links: { details: `/api/v1/models/${id}/endpoints` },
    ...fields,
  };
}

export function modelRecords(count: number, vendor = 'made'): ModelRecord[] {
  return Array.from({ length: count }, (_, index) => modelRecord(`${vendor}/model-${index + 1}`, { rank: index }));
}

function answer(
  gateway: TestGateway,
  { modelList, query, authorization, validator }: GatewayRequest,
  response: http.ServerResponse,
): void {
  const key = authorization?.replace(/^Bearer /, '');
  if (modelList === null) return refuse(response, 404, 'Resource not found');
  if (modelList === 'models' && key === undefined) return refuse(response, 401, 'Missing Authentication header');
  if (modelList === 'models' && key !== KEY && key !== OTHER_KEY) {
    return refuse(response, 403, 'Only management keys can perform this operation');
  }
  const all = (modelList === 'models' && gateway.modelsOf.get(key ?? '')) || gateway[modelList];
  const body = JSON.stringify(pageOf(gateway, modelList, all, query));
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 12)}"`;
  const headers = { etag, 'cache-control': 'public, s-maxage=300' };
  if (validator === etag) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(body);
}

function pageOf(
  { address, pageSize }: TestGateway,
  modelList: ModelListName,
  all: readonly ModelRecord[],
  query: URLSearchParams,
) {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? pageSize ?? all.length);
  const path = Object.keys(MODEL_LIST_AT).find((name) => MODEL_LIST_AT[name] === modelList) ?? '';
  const end = offset + Math.min(limit, pageSize ?? limit);
  const next = end < all.length ? `${address}${path}?offset=${end}&limit=${limit}` : null;
  return { data: all.slice(offset, end), links: { next }, total_count: all.length };
}

/** The gateway's error format (document 2 section 7). */
export function refuse(response: http.ServerResponse, status: number, message: string, retryAfter?: number): void {
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(status, { 'content-type': 'application/json', ...wait });
  response.end(JSON.stringify({ error: { code: status, message } }));
}
