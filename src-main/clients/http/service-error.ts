import { BroadsheetError, type ErrorCode, type FailureReason } from '../../contract/errors.ts';

interface ServiceErrorFacts {
  /** The HTTP status; null without a response. */
  status?: number | null;
  retryAfterMs?: number | null;
  /** Requests sent for this call, redirects included. */
  requests?: number;
  requestId?: string | undefined;
  /** The service's own error code, which may be unknown. */
  problemCode?: string | null;
  /** The service's own error message: untrusted plain text. */
  detail?: string | null;
  reason?: FailureReason | undefined;
  cause?: unknown;
}

/** A request to a service that did not end in a usable answer. */
export class ServiceError extends BroadsheetError {
  override readonly name = 'ServiceError';
  readonly status: number | null;
  /** From the Retry-After header; null without one. */
  readonly retryAfterMs: number | null;
  readonly requests: number;
  readonly problemCode: string | null;
  readonly detail: string | null;

  constructor(code: ErrorCode, message: string, facts: ServiceErrorFacts = {}) {
    const status = facts.status ?? null;
    const { requestId, reason, cause } = facts;
    super(code, message, { retryable: isRetryable(code, status), requestId, reason, cause });
    this.status = status;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.requests = facts.requests ?? 0;
    this.problemCode = facts.problemCode ?? null;
    this.detail = facts.detail ?? null;
  }

  /** A copy with the number of requests of a longer operation. */
  withRequests(requests: number): ServiceError {
    return this.#with(this.message, requests);
  }

  /** A copy with a more specific message. */
  withMessage(message: string): ServiceError {
    return this.#with(message, this.requests);
  }

  #with(message: string, requests: number): ServiceError {
    const { code, status, retryAfterMs, requestId, problemCode, detail, reason, cause } = this;
    const facts = { status, retryAfterMs, requestId, problemCode, detail, reason, cause };
    return new ServiceError(code, message, { ...facts, requests });
  }
}

/** Errors that often pass: networks, proxies, captive portals, a restarting service. */
const TEMPORARY = new Set<ErrorCode>([
  'rate_limited',
  'temporarily_unavailable',
  'unreachable',
  'timeout',
  'cut_short',
  'invalid_body',
  'wrong_content_type',
  'aborted',
]);

function isRetryable(code: ErrorCode, status: number | null): boolean {
  if (code !== 'service_error') return TEMPORARY.has(code);
  return status !== null && (status >= 500 || status === 408 || status === 425);
}
