import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RedactKey } from './redaction.ts';

/** What an error body says (document 1 section 7, document 2 section 7). All of it may be missing. */
export interface Problem {
  code: string | null;
  detail: string | null;
  requestId: string | null;
}

const text = z.string().nullish().catch(null);

const problemBody = z.object({ code: text, title: text, detail: text, requestId: text });
/** The code is the status once more; gateways that are no gateway of this kind say only what is wrong. */
const gatewayErrorBody = z.object({ error: z.union([z.object({ message: text }), z.string()]) });

const NO_PROBLEM: Problem = { code: null, detail: null, requestId: null };

/**
 * Reads problem+json and the model gateway's `{error: {code, message}}`. Anything else is an empty problem. `hide` takes out
 * what may not be told, before a text is cut to its length: half a key is too much as well.
 */
export function readProblem(body: string, hide: RedactKey): Problem {
  const value = parsed(body);
  const oneLine = (text: string | null | undefined): string | null => toLine(hide(text ?? ''));
  const gateway = gatewayErrorBody.safeParse(value);
  if (gateway.success) {
    const { error } = gateway.data;
    return { ...NO_PROBLEM, detail: oneLine(typeof error === 'string' ? error : error.message) };
  }
  const problem = problemBody.safeParse(value);
  if (!problem.success) return NO_PROBLEM;
  const { code, title, detail, requestId } = problem.data;
  return { code: oneLine(code), detail: oneLine(detail || title), requestId: oneLine(requestId) };
}

/** The service's codes that mean something to Broadsheet, with the statuses under which they are believed. */
const CODES: Record<string, { code: ErrorCode; statuses: readonly number[] }> = {
  invalid_request: { code: 'invalid_request', statuses: [400, 422] },
  invalid_cursor: { code: 'invalid_cursor', statuses: [400, 409, 410, 422] },
  // A new snapshot costs thousands of records: 409 is the only signal for it.
  snapshot_required: { code: 'snapshot_required', statuses: [409] },
  not_found: { code: 'not_found', statuses: [404, 410] },
  method_not_allowed: { code: 'method_not_allowed', statuses: [405] },
  temporarily_unavailable: { code: 'temporarily_unavailable', statuses: [500, 502, 503, 504] },
};

const STATUSES: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  410: 'not_found',
  422: 'invalid_request',
  429: 'rate_limited',
  503: 'temporarily_unavailable',
};

/** Our code for an error answer: by the problem's code where it is known and fits the status, else by the status. */
export function errorCodeFor(status: number, problemCode: string | null): ErrorCode {
  const known = problemCode !== null && Object.hasOwn(CODES, problemCode) ? CODES[problemCode] : undefined;
  if (known?.statuses.includes(status)) return known.code;
  return STATUSES[status] ?? 'service_error';
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_request:
    'The service did not accept the request. If this stays so, this version of Broadsheet may be too old for it.',
  invalid_cursor: 'The service no longer knows the place to go on from. Start again from the first page.',
  snapshot_required: 'The service cannot tell what changed since the last time. The whole set has to be fetched again.',
  unauthorized: 'The service wants a valid key. Check it in Settings.',
  forbidden: 'The service refuses access. Check the service address, and the key where one is needed.',
  not_found: 'The service has nothing at this address. It may have been withdrawn, or the service address is wrong.',
  method_not_allowed: 'The service does not allow reading this address. Check the service address.',
  rate_limited: 'The service has been asked too often and wants a pause. Broadsheet tries again by itself.',
  temporarily_unavailable: 'The service is not available at the moment. Broadsheet tries again by itself.',
};

/** What happened and what to do, followed by the service's own words where it has some. */
export function messageFor(code: ErrorCode, status: number, detail: string | null): string {
  return withDetail(MESSAGES[code] ?? `The service answered with status ${status}. Try again later.`, detail);
}

export function withDetail(ours: string, detail: string | null): string {
  return detail === null ? ours : `${ours} The service says: ${detail}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** A stranger's text goes into messages and logs: one line, bounded, without control characters. */
function toLine(value: string): string | null {
  const line = value
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line.toWellFormed().slice(0, 300);
}
