import { ServiceError } from '../../clients/http/service-error.ts';
import type { ErrorCode } from '../../contract/errors.ts';

const MINUTE = 60_000;
const FIRST_BACKOFF = 5 * MINUTE;
const LONGEST_BACKOFF = 6 * 60 * MINUTE;
/** So many failures in a row are hardly those of single records. */
const MOST_IN_A_ROW = 3;

/** Failures that an early retry won't mend. */
const BAD_BODY = new Set<ErrorCode>(['invalid_body', 'too_large']);
/** When Broadsheet closes, no other request succeeds either. */
const ENDED = new Set<ErrorCode>(['aborted', 'closed']);

/**
 * Checks for a failure that may be that of a single story or report, so that the others are still fetched. A Retry-After
 * and a lost network concern all of them.
 */
export function isOfOneRecord(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || ENDED.has(error.code) || isWithoutNetwork(error)) return false;
  return error.retryAfterMs === null || !isBusy(error);
}

/**
 * True if there was no connection. One that was made and then reset was reset by the service or by a proxy, which do that for
 * single addresses.
 */
function isWithoutNetwork({ code, reason }: ServiceError): boolean {
  return code === 'unreachable' && reason !== undefined;
}

/** True if there was no response at all. */
export function isNetworkFailure(code: string | undefined): boolean {
  return code === 'unreachable' || code === 'timeout';
}

function isBusy({ status, code }: ServiceError): boolean {
  return status === 429 || status === 503 || code === 'rate_limited';
}

/** How long (ms) a story or report is left alone after its `failures`th failure in a row. */
export function recordBackoff(error: ServiceError, failures: number): number {
  if (BAD_BODY.has(error.code)) return LONGEST_BACKOFF;
  return Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1));
}

/** Counts failures in a row within one run. */
export class FailuresInARow {
  #count = 0;

  /** Errors: `error` itself, if it is one too many. */
  add(error: ServiceError): void {
    this.#count += 1;
    if (this.#count >= MOST_IN_A_ROW) throw error;
  }

  end(): void {
    this.#count = 0;
  }
}
