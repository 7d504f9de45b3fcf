import { BroadsheetError, type ErrorCode } from '../../contract/errors.ts';

interface ServiceErrorFacts {
  /** The answer's status, where there was an answer. */
  status?: number | null;
  retryAfterMs?: number | null;
  /** Requests sent for this call, redirects included. */
  requests?: number;
  requestId?: string | undefined;
  /** The service's own error code, known to us or not. */
  problemCode?: string | null;
  /** The service's own words about the error: plain text of a stranger. */
  detail?: string | null;
  cause?: unknown;
}

/** A request to a service that did not end in a usable answer. */
export class ServiceError extends BroadsheetError {
  override readonly name = 'ServiceError';
  readonly status: number | null;
  /** How long the service asked to be left alone, in ms; null if it did not say. */
  readonly retryAfterMs: number | null;
  readonly requests: number;
  readonly problemCode: string | null;
  readonly detail: string | null;

  constructor(code: ErrorCode, message: string, facts: ServiceErrorFacts = {}) {
    const status = facts.status ?? null;
    super(code, message, { retryable: mayPass(code, status), requestId: facts.requestId, cause: facts.cause });
    this.status = status;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.requests = facts.requests ?? 0;
    this.problemCode = facts.problemCode ?? null;
    this.detail = facts.detail ?? null;
  }

  /** The same error, told to whoever counts more requests than this one call made. */
  withRequests(requests: number): ServiceError {
    return this.#with(this.message, requests);
  }

  /** The same error in words that know more of what was asked for. */
  withMessage(message: string): ServiceError {
    return this.#with(message, this.requests);
  }

  #with(message: string, requests: number): ServiceError {
    const { code, status, retryAfterMs, requestId, problemCode, detail, cause } = this;
    return new ServiceError(code, message, { status, retryAfterMs, requestId, problemCode, detail, cause, requests });
  }
}

/** Troubles that come and go by themselves: networks, proxies, captive portals, a service being restarted. */
const PASSING = new Set<ErrorCode>([
  'rate_limited',
  'temporarily_unavailable',
  'unreachable',
  'timeout',
  'cut_short',
  'invalid_body',
  'wrong_content_type',
  'aborted',
]);

function mayPass(code: ErrorCode, status: number | null): boolean {
  if (code !== 'service_error') return PASSING.has(code);
  return status !== null && (status >= 500 || status === 408 || status === 425);
}
