import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { discardBody, readText } from './body.ts';
import type { RedactKey } from './redaction.ts';
import { plausibleWait, retryAfterMs, sentAt } from './retry-after.ts';
import { ServiceError } from './service-error.ts';

/** Document 1 section 7, document 2 section 7. */
interface Problem {
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
function readProblem(body: string, redact: RedactKey): Problem {
  const value = parseJson(body);
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

function errorCodeFor(status: number, problemCode: string | null): ErrorCode {
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

function messageFor(code: ErrorCode, status: number, detail: string | null): string {
  return withDetail(MESSAGES[code] ?? `The service returned HTTP ${status}. Try again later.`, detail);
}

export function withDetail(ours: string, detail: string | null): string {
  return detail === null ? ours : `${ours} Message from the service: ${detail}`;
}

function parseJson(body: string): unknown {
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

const TOO_LONG = 'The service asked for a pause of more than a week. Broadsheet asks again after a day.';
const MAX_PROBLEM_BYTES = 64 * 1024;

/** `now` is for Retry-After dates if the response has no date. */
export async function readServiceError(
  host: string,
  response: Dispatcher.ResponseData,
  now: number,
  redact: RedactKey,
): Promise<ServiceError> {
  const { statusCode: status, headers } = response;
  if (status >= 300 && status < 400) {
    discardBody(response.body);
    return new ServiceError(
      'redirect_refused',
      `${host} sent a redirect that is not supported. Check the service address.`,
      { status },
    );
  }
  const problem = readProblem(await readErrorBody(response), redact);
  const code = errorCodeFor(status, problem.code);
  const { detail } = problem;
  const wait = retryAfterMs(firstHeader(headers['retry-after']), sentAt(firstHeader(headers.date)) ?? now);
  const message = messageFor(code, status, detail);
  return new ServiceError(code, wait !== null && wait !== plausibleWait(wait) ? `${message} ${TOO_LONG}` : message, {
    status,
    detail,
    problemCode: problem.code,
    reason: status === 404 && isWebPage(firstHeader(headers['content-type']) ?? '') ? 'web_page' : undefined,
    requestId: redact(firstHeader(headers['x-request-id']) ?? '').slice(0, 200) || (problem.requestId ?? undefined),
    retryAfterMs: wait === null ? null : plausibleWait(wait),
  });
}

/** Ignores a body that cannot be read: the status says enough. */
async function readErrorBody({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  try {
    return await readText(body, joinHeader(headers['content-encoding']) ?? '', MAX_PROBLEM_BYTES);
  } catch {
    discardBody(body);
    return '';
  }
}

export function firstHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

export function joinHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

export function isWebPage(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}
