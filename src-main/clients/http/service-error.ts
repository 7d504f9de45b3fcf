import { BroadsheetError, type ErrorCode, type FailureReason } from '../../contract/errors.ts';

interface ServiceErrorFacts {
  status?: number | null;
  retryAfterMs?: number | null;
  requests?: number;
  requestId?: string | undefined;
  problemCode?: string | null;
  /** Untrusted plain text. */
  detail?: string | null;
  reason?: FailureReason | undefined;
  cause?: unknown;
}

export class ServiceError extends BroadsheetError {
  override readonly name = 'ServiceError';
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly requests: number;
  readonly problemCode: string | null;
  readonly detail: string | null;

  constructor(code: ErrorCode, message: string, facts: ServiceErrorFacts = {}) {
    const { status = null, retryAfterMs = null, requests = 0, problemCode = null, detail = null, ...options } = facts;
    super(code, message, { ...options, retryable: isRetryable(code, status) });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.requests = requests;
    this.problemCode = problemCode;
    this.detail = detail;
  }

  withRequests(requests: number): ServiceError {
    return this.#with(this.message, requests);
  }

  withMessage(message: string): ServiceError {
    return this.#with(message, this.requests);
  }

  #with(message: string, requests: number): ServiceError {
    const { code, status, retryAfterMs, requestId, problemCode, detail, reason, cause } = this;
    const facts = { status, retryAfterMs, requestId, problemCode, detail, reason, cause };
    return new ServiceError(code, message, { ...facts, requests });
  }
}

/** Often pass: networks, proxies, captive portals, a restarting service. */
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

/** A broken socket is "unreachable" before the response headers have arrived, and "cut short" after. */
export type Phase = 'requesting' | 'reading';

const CONNECT_TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** `Z_BUF_ERROR` is zlib's code for compressed data of any format. */
const ENDED_EARLY = new Set(['Z_BUF_ERROR', 'HPE_INVALID_EOF_STATE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/** Malformed data in zlib, brotli (`ERR__ERROR_...`), zstd or the HTTP parser. */
const NOT_WELL_FORMED = /^(Z_|ERR_(?:_|BROTLI|ZLIB|PADDING)|ZSTD_|HPE_)/;

const REASONS: Readonly<Record<string, FailureReason>> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ECONNREFUSED: 'refused',
  ENETUNREACH: 'no_route',
  ENETDOWN: 'no_route',
  EHOSTUNREACH: 'no_route',
  EPROTO: 'not_secure',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'not_secure',
  SELF_SIGNED_CERT_IN_CHAIN: 'not_secure',
  HOSTNAME_MISMATCH: 'not_secure',
};

/** Codes of Node and OpenSSL for a certificate that can't be verified, or an answer that isn't TLS. */
const NOT_SECURE = /^(?:CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;

export function transportError(thrown: unknown, phase: Phase, host: string): BroadsheetError {
  if (thrown instanceof BroadsheetError) return thrown;
  const code = codeOf(thrown);
  if (CONNECT_TIMEOUTS.has(code)) {
    return failure(
      'timeout',
      `The connection to ${host} timed out. Check the network and the service address.`,
      thrown,
    );
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return failure('too_large', `The response headers of ${host} are too large. Check the service address.`, thrown);
  }
  if (phase === 'reading' && ENDED_EARLY.has(code)) return cutShort(host, thrown);
  if (NOT_WELL_FORMED.test(code) || isParserError(thrown)) {
    return failure('invalid_body', `The response of ${host} is damaged. Try again later.`, thrown);
  }
  if (phase === 'reading') return cutShort(host, thrown);
  return failure(
    'unreachable',
    `Cannot reach ${host} (${code || 'no connection'}). Check the network and the service address.`,
    thrown,
    Object.hasOwn(REASONS, code) ? REASONS[code] : NOT_SECURE.test(code) ? 'not_secure' : undefined,
  );
}

function cutShort(host: string, cause: unknown): BroadsheetError {
  return failure('cut_short', `The response of ${host} was cut short. Nothing was saved. Try again later.`, cause);
}

function failure(code: ErrorCode, message: string, cause: unknown, reason?: FailureReason): BroadsheetError {
  return new BroadsheetError(code, message, { cause, reason });
}

function isParserError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'HTTPParserError';
}

export function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : '';
  return typeof code === 'string' ? code : '';
}

export async function addRequests<T extends { requests: number }>(before: number, call: Promise<T>): Promise<T> {
  try {
    const answer = await call;
    return { ...answer, requests: before + answer.requests };
  } catch (error) {
    throw error instanceof ServiceError ? error.withRequests(before + error.requests) : error;
  }
}
