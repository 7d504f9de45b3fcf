import type { Dispatcher } from 'undici';
import { discardBody, readText } from './body.ts';
import { first, joined } from './headers.ts';
import type { RedactKey } from './redaction.ts';
import { errorCodeFor, messageFor, readProblem } from './problem.ts';
import { retryAfterMs } from './retry-after.ts';
import { ServiceError } from './service-error.ts';

/** An error page is read for its problem only. */
const MAX_PROBLEM_BYTES = 64 * 1024;

/**
 * What an answer other than 200 and 304 means, as an error that says so (document 1 section 7, document 2 section 7).
 * `host` is for words, `now` for Retry-After dates; `hide` keeps the key out of what the error says.
 */
export async function errorResponse(
  host: string,
  response: Dispatcher.ResponseData,
  now: number,
  hide: RedactKey,
): Promise<ServiceError> {
  const { statusCode: status, headers } = response;
  if (status >= 300 && status < 400) {
    discardBody(response.body);
    return new ServiceError(
      'redirect_refused',
      `${host} sent Broadsheet on in a way that is not followed. Check the service address.`,
      { status },
    );
  }
  const problem = readProblem(await readErrorBody(response), hide);
  const code = errorCodeFor(status, problem.code);
  const { detail } = problem;
  return new ServiceError(code, messageFor(code, status, detail), {
    status,
    detail,
    problemCode: problem.code,
    requestId: hide(first(headers['x-request-id']) ?? '').slice(0, 200) || (problem.requestId ?? undefined),
    retryAfterMs: retryAfterMs(first(headers['retry-after']), now),
  });
}

/** The status says enough: an error body that cannot be read must not hide it. */
async function readErrorBody({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  try {
    return await readText(body, joined(headers['content-encoding']) ?? '', MAX_PROBLEM_BYTES);
  } catch {
    discardBody(body);
    return '';
  }
}
