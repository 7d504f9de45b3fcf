import { ServiceError } from '../../clients/http/service-error.ts';
import { BroadsheetError, type ErrorCode } from '../../contract/errors.ts';
import type { ScheduleState } from '../../store/index.ts';

const MINUTE = 60_000;
const FIRST_BACKOFF = 5 * MINUTE;
const MAX_BACKOFF = 6 * 60 * MINUTE;

/** An early retry won't mend these. */
const BAD_BODY = new Set<ErrorCode>(['invalid_body', 'too_large']);
const ENDED = new Set<ErrorCode>(['aborted', 'closed']);

/** Excludes a Retry-After and a lost network, which concern all records. */
export function isOfOneRecord(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || ENDED.has(error.code) || isWithoutNetwork(error)) return false;
  return error.retryAfterMs === null || !isBusy(error);
}

/** A connection that was reset isn't a lost network: services and proxies do that for single addresses. */
function isWithoutNetwork({ code, reason }: ServiceError): boolean {
  return code === 'unreachable' && reason !== undefined;
}

export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof BroadsheetError && error.code === code;
}

export function unexpectedNotModified(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service answered "not modified" to an unconditional request.');
}

export function isNetworkFailure(code: string | undefined): boolean {
  return code === 'unreachable' || code === 'timeout';
}

function isBusy({ status, code }: ServiceError): boolean {
  return status === 429 || status === 503 || code === 'rate_limited';
}

export function backoffAfter(failures: number, first: number, max: number): number {
  return Math.min(max, first * 2 ** (failures - 1));
}

/** Also false once a clock was set back by more than the wait. */
export function isWaiting(state: ScheduleState | null, now: number): boolean {
  return state !== null && Math.abs(now - state.requestedAt) < state.dueAt - state.requestedAt;
}

export function recordBackoff(error: ServiceError, failures: number): number {
  return BAD_BODY.has(error.code) ? MAX_BACKOFF : backoffAfter(failures, FIRST_BACKOFF, MAX_BACKOFF);
}
