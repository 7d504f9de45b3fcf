import { fill } from '../content/template.ts';
import { AGENT_GUIDE } from '../content/texts.ts';
import type { ApiResponse } from '../http/response.ts';
import { readNoQuery } from '../http/query.ts';
import type { ApiRequest } from '../http/router.ts';
import type { DemoState } from '../state.ts';

/** Serves `GET /agent` (observed-8-guide). */
export function agentGuide(_state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  const base = `${request.origin}/api/v1`;
  const body = fill(AGENT_GUIDE, { base });
  return { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body, lifetime: 300 };
}
