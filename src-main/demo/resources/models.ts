import { z } from 'zod';
import type { ModelListName } from '../../contract/model/item.ts';
import type { DemoGateway } from '../catalogue/gateway.ts';
import { json } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import type { Problem } from '../http/problem.ts';
import { readQuery, wholeNumber } from '../http/query.ts';
import type { Asked } from '../http/router.ts';

/** Seconds. */
const LIFETIME = 60;

const listQuery = z.strictObject({
  offset: wholeNumber(0, 999_999_999).exactOptional(),
  limit: wholeNumber(1, 1000).exactOptional(),
});

/** `GET /models/user` (document 2 section 4): 401 without a bearer key, 403 with another one. */
export function userModels(gateway: DemoGateway, asked: Asked): Answer {
  const bearer = /^Bearer +(\S+) *$/i.exec(asked.authorization ?? '');
  if (!bearer) return refusal(401, 'Missing Authentication header');
  if (bearer[1] !== gateway.key) return refusal(403, 'Only management keys can perform this operation');
  return { ...listing(gateway, 'models', '/api/v1/models/user', asked), isPrivate: true };
}

/** `GET /embeddings/models` (document 2 section 4). Needs no key. */
export function embeddingsModels(gateway: DemoGateway, asked: Asked): Answer {
  return listing(gateway, 'embeddings', '/api/v1/embeddings/models', asked);
}

/** An error in the gateway's own form (document 2 section 7). */
function refusal(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { code: status, message } }),
  };
}

/** What the news service would call a problem, in the gateway's form. */
export function refusalOf(problem: Problem): Answer {
  return refusal(
    problem.status,
    problem.code === 'not_found' ? 'Resource not found' : problem.message,
    problem.headers,
  );
}

function listing(gateway: DemoGateway, name: ModelListName, path: string, asked: Asked): Answer {
  const { offset = 0, limit = gateway.pageSize } = readQuery(asked.search, listQuery);
  const models = gateway.served(name);
  const end = limit === null ? models.length : offset + limit;
  const next = end < models.length ? `${asked.origin}${path}?offset=${end}&limit=${limit}` : null;
  return json({ data: models.slice(offset, end), links: { next }, total_count: models.length }, LIFETIME);
}
