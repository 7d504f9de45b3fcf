import { z } from 'zod';
import { CHAT_MODELS, EMBEDDINGS_MODELS } from '../catalogue/catalogue.ts';
import type { CatalogueModel } from '../catalogue/catalogue.ts';
import type { Answer } from '../http/answer.ts';
import type { Problem } from '../http/problem.ts';
import { readQuery, wholeNumber } from '../http/query.ts';
import type { Asked } from '../http/router.ts';

const listQuery = z.strictObject({
  offset: wholeNumber(0, 999_999_999).exactOptional(),
  limit: wholeNumber(1, 1000).exactOptional(),
});

/** `GET /models/user` (document 2 section 4): 401 without a bearer key, 403 with another one. */
export function userModels(key: string, asked: Asked): Answer {
  const bearer = /^Bearer +(\S+) *$/i.exec(asked.authorization ?? '');
  if (!bearer) return refusal(401, 'Missing Authentication header');
  if (bearer[1] !== key) return refusal(403, 'Only management keys can perform this operation');
  return listing(CHAT_MODELS, '/api/v1/models/user', asked);
}

/** `GET /embeddings/models` (document 2 section 4). Needs no key. */
export function embeddingsModels(asked: Asked): Answer {
  return listing(EMBEDDINGS_MODELS, '/api/v1/embeddings/models', asked);
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

function listing(models: readonly CatalogueModel[], path: string, asked: Asked): Answer {
  const { offset = 0, limit } = readQuery(asked.search, listQuery);
  const end = limit === undefined ? models.length : offset + limit;
  const next = end < models.length ? `${asked.origin}${path}?offset=${end}&limit=${limit}` : null;
  const body = JSON.stringify({ data: models.slice(offset, end), links: { next }, total_count: models.length });
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body };
}
