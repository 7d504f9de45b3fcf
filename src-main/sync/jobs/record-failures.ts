import { ServiceError } from '../../clients/http/service-error.ts';
import type { ErrorCode } from '../../contract/errors.ts';

const MINUTE = 60_000;
const FIRST_BACKOFF = 5 * MINUTE;
const LONGEST_BACKOFF = 6 * 60 * MINUTE;
/** More failures in a row are hardly those of single records. */
const MOST_IN_A_ROW = 3;

/** An early retry won't mend these. */
const BAD_BODY = new Set<ErrorCode>(['invalid_body', 'too_large']);
const ENDED = new Set<ErrorCode>(['aborted', 'closed']);

/**
 * Excludes a Retry-After and a lost network, which concern all records: after other failures the rest is still fetched.
 */
export function isOfOneRecord(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || ENDED.has(error.code) || isWithoutNetwork(error)) return false;
  return error.retryAfterMs === null || !isBusy(error);
}

/** A connection that was reset isn't a lost network: services and proxies do that for single addresses. */
function isWithoutNetwork({ code, reason }: ServiceError): boolean {
  return code === 'unreachable' && reason !== undefined;
}

export function isNetworkFailure(code: string | undefined): boolean {
  return code === 'unreachable' || code === 'timeout';
}

function isBusy({ status, code }: ServiceError): boolean {
  return status === 429 || status === 503 || code === 'rate_limited';
}

/** In ms, after the `failures`th failure in a row. */
export function recordBackoff(error: ServiceError, failures: number): number {
  if (BAD_BODY.has(error.code)) return LONGEST_BACKOFF;
  return Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1));
}

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
