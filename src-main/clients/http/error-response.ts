import type { Dispatcher } from 'undici';
import { discardBody, readText } from './body.ts';
import { first, isWebPage, joined } from './headers.ts';
import type { RedactKey } from './redaction.ts';
import { errorCodeFor, messageFor, readProblem } from './problem.ts';
import { plausibleWait, retryAfterMs, sentAt } from './retry-after.ts';
import { ServiceError } from './service-error.ts';

const TOO_LONG = 'The service asked for a pause of more than a week. Broadsheet asks again after a day.';
/** Enough for problem+json. */
const MAX_PROBLEM_BYTES = 64 * 1024;

/**
 * The error for a response other than 200 and 304 (document 1 section 7, document 2 section 7). `host` is for the message,
 * `now` for Retry-After dates of a response without a date of its own; `redact` removes the key from the message.
 */
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
  const wait = retryAfterMs(first(headers['retry-after']), sentAt(first(headers.date)) ?? now);
  const message = messageFor(code, status, detail);
  return new ServiceError(code, wait !== null && wait !== plausibleWait(wait) ? `${message} ${TOO_LONG}` : message, {
    status,
    detail,
    problemCode: problem.code,
    reason: status === 404 && isWebPage(first(headers['content-type']) ?? '') ? 'web_page' : undefined,
    requestId: redact(first(headers['x-request-id']) ?? '').slice(0, 200) || (problem.requestId ?? undefined),
    retryAfterMs: wait === null ? null : plausibleWait(wait),
  });
}

/** An error body that cannot be read is ignored: the status says enough. */
async function readErrorBody({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  try {
    return await readText(body, joined(headers['content-encoding']) ?? '', MAX_PROBLEM_BYTES);
  } catch {
    discardBody(body);
    return '';
  }
}
