import type { Dispatcher } from 'undici';
import { discardBody, readText } from './body.ts';
import type { RedactKey } from './redaction.ts';
import { errorCodeFor, messageFor, readProblem } from './problem.ts';
import { plausibleWait, retryAfterMs, sentAt } from './retry-after.ts';
import { ServiceError } from './service-error.ts';

const TOO_LONG = 'The service asked for a pause of more than a week. Broadsheet asks again after a day.';
const MAX_PROBLEM_BYTES = 64 * 1024;

/** Document 1 section 7, document 2 section 7. `now`: for Retry-After dates if the response has no date. */
export async function errorResponse(
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
