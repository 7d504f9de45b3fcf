/**
 * Every way a call can fail, as data. Codes are stable: scripts and translations rely on them, so a code is
 * never renamed, and its meaning never changes.
 */
export const ERROR_CODES = [
  // What the caller sent
  'invalid_argument',
  'unknown_method',
  'not_found',
  'forbidden_sender',
  'link_refused',
  'not_supported',
  // What the service answered (document 1 section 7, document 2 section 7)
  'invalid_request',
  'invalid_cursor',
  'snapshot_required',
  'unauthorized',
  'forbidden',
  'method_not_allowed',
  'rate_limited',
  'temporarily_unavailable',
  'service_error',
  // What came in place of an answer
  'unreachable',
  'timeout',
  'too_large',
  'wrong_content_type',
  'invalid_body',
  'cut_short',
  'redirect_refused',
  'too_many_redirects',
  'aborted',
  // A key is sent over https or loopback only, and only to the origin that it was given for
  'key_not_sent',
  // What the machine would not let us do
  'data_in_use',
  'data_newer',
  'data_unreadable',
  'data_read_only',
  'disk_full',
  'closed',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** A failure as it crosses a process boundary: words a person can act on, and a code a program can. */
export interface Failure {
  code: ErrorCode;
  /** What happened and what to do about it, in English. The renderer has its own words for each code. */
  message: string;
  /** Whether the same call may succeed later without anything being changed. */
  retryable: boolean;
  /** The service's correlation id (`X-Request-Id`, problem `requestId`), for its support. */
  requestId?: string;
}

interface BroadsheetErrorOptions {
  retryable?: boolean;
  requestId?: string | undefined;
  cause?: unknown;
}

/** The one error class that the app throws on purpose. Anything else that is thrown is a defect: `internal`. */
export class BroadsheetError extends Error {
  override readonly name: string = 'BroadsheetError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, options: BroadsheetErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.requestId = options.requestId;
  }
}

/** What a thrown value is to the other side of a boundary. A defect's own text stays inside: it may hold anything. */
export function toFailure(thrown: unknown): Failure {
  if (!(thrown instanceof BroadsheetError)) {
    return {
      code: 'internal',
      message: 'Something went wrong inside Broadsheet. Its log says more.',
      retryable: false,
    };
  }
  const { code, message, retryable, requestId } = thrown;
  return requestId === undefined ? { code, message, retryable } : { code, message, retryable, requestId };
}

/** The way back: a failure that arrived over a wire, to be thrown on this side. */
export function fromFailure(failure: Failure): BroadsheetError {
  return new BroadsheetError(failure.code, failure.message, failure);
}
