import { z } from 'zod';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { OddAnswers } from '../harsh.ts';
import type { DemoGateway } from '../gateway.ts';
import { json, type ApiResponse, type Problem, readQuery, wholeNumber, type ApiRequest } from '../http.ts';

/** Seconds. */
const LIFETIME = 60;

const listQuery = z.strictObject({
  offset: wholeNumber(0, 999_999_999).exactOptional(),
  limit: wholeNumber(1, 1000).exactOptional(),
});

/** Serves `GET /models/user` (document 2 section 4). */
export function userModels(gateway: DemoGateway, odd: OddAnswers, request: ApiRequest): ApiResponse {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.authorization ?? '');
  if (!bearer) return refusal(401, 'Missing Authentication header');
  if (bearer[1] !== gateway.key) return refusal(403, 'Only management keys can perform this operation');
  return { ...modelList(gateway, odd, 'models', '/api/v1/models/user', request), isPrivate: true };
}

/** Serves `GET /embeddings/models` (document 2 section 4). */
export function embeddingsModels(gateway: DemoGateway, odd: OddAnswers, request: ApiRequest): ApiResponse {
  return modelList(gateway, odd, 'embeddings', '/api/v1/embeddings/models', request);
}

/** Writes an error in the gateway's own form (document 2 section 7). */
function refusal(status: number, message: string, headers: Record<string, string> = {}): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { code: status, message } }),
  };
}

export function refusalOf(problem: Problem): ApiResponse {
  return refusal(
    problem.status,
    problem.code === 'not_found' ? 'Resource not found' : problem.message,
    problem.headers,
  );
}

function modelList(
  gateway: DemoGateway,
  odd: OddAnswers,
  name: ModelListName,
  path: string,
  request: ApiRequest,
): ApiResponse {
  const { offset = 0, limit = gateway.pageSize } = readQuery(request.search, listQuery);
  const all = gateway.current(name);
  const models = all.slice(0, Math.floor(all.length * odd.modelsShare(name, request.now)));
  const end = limit === null ? models.length : offset + limit;
  const next = end < models.length ? `${request.origin}${path}?offset=${end}&limit=${limit}` : null;
  return json({ data: models.slice(offset, end), links: { next }, total_count: models.length }, LIFETIME);
}
