import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RedactKey } from './redaction.ts';

/** Document 1 section 7, document 2 section 7. Everything is optional. */
export interface Problem {
  code: string | null;
  detail: string | null;
  requestId: string | null;
}

const text = z.string().nullish().catch(null);

const problemBody = z.object({ code: text, title: text, detail: text, requestId: text });
/** The code only repeats the status. Other kinds of gateways send `error` as a string. */
const gatewayErrorBody = z.object({ error: z.union([z.object({ message: text }), z.string()]) });

const NO_PROBLEM: Problem = { code: null, detail: null, requestId: null };

/** Applies `redact` before a text is shortened, because even half a key must not appear. */
export function readProblem(body: string, redact: RedactKey): Problem {
  const value = parsed(body);
  const oneLine = (text: string | null | undefined): string | null => toLine(redact(text ?? ''));
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

/** The codes that Broadsheet handles, with the statuses that they are accepted with. */
const CODES: Record<string, { code: ErrorCode; statuses: readonly number[] }> = {
  invalid_request: { code: 'invalid_request', statuses: [400, 422] },
  invalid_cursor: { code: 'invalid_cursor', statuses: [400, 409, 410, 422] },
  // Only with 409: a new snapshot downloads thousands of records.
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

/** Prefers the code of the problem if it is known and fits the status. */
export function errorCodeFor(status: number, problemCode: string | null): ErrorCode {
  const known = problemCode !== null && Object.hasOwn(CODES, problemCode) ? CODES[problemCode] : undefined;
  if (known?.statuses.includes(status)) return known.code;
  return STATUSES[status] ?? 'service_error';
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_request:
    'The service rejected the request. If this keeps happening, Broadsheet may be too old for it: check for an update.',
  invalid_cursor:
    'The service no longer accepts the saved position in its list. Broadsheet tries again, then downloads the whole list.',
  snapshot_required: 'The changes since the last sync are no longer available. Everything must be downloaded again.',
  unauthorized: 'The service requires a valid key. Check it in Settings.',
  forbidden: 'The service denied access. Check the service address, and the key if it needs one.',
  not_found: 'The service has nothing at this address. It may have been removed, or the service address is wrong.',
  method_not_allowed: 'The service does not allow reading this address. Check the service address.',
  rate_limited: 'The service received too many requests. Broadsheet tries again automatically.',
  temporarily_unavailable: 'The service is temporarily unavailable. Broadsheet tries again automatically.',
};

export function messageFor(code: ErrorCode, status: number, detail: string | null): string {
  return withDetail(MESSAGES[code] ?? `The service returned HTTP ${status}. Try again later.`, detail);
}

export function withDetail(ours: string, detail: string | null): string {
  return detail === null ? ours : `${ours} Message from the service: ${detail}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Makes a text of a service safe for messages and logs: one line, limited, no control characters. */
function toLine(value: string): string | null {
  const line = value
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line.toWellFormed().slice(0, 300);
}
