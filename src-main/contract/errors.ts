/**
 * Every way a call can fail. Codes are stable, because scripts and translations rely on them: a code is never renamed
 * and its meaning never changes.
 */
export const ERROR_CODES = [
  // Invalid calls
  'invalid_argument',
  'unknown_method',
  'not_found',
  'forbidden_sender',
  'link_refused',
  // A device, a pipe, a file in the data folder, or one that is too large
  'file_refused',
  'not_supported',
  // Error responses of a service (document 1 section 7, document 2 section 7)
  'invalid_request',
  'invalid_cursor',
  'snapshot_required',
  'unauthorized',
  'forbidden',
  'method_not_allowed',
  'rate_limited',
  'temporarily_unavailable',
  'service_error',
  // Network failures and unusable responses
  'unreachable',
  'timeout',
  'too_large',
  'wrong_content_type',
  'invalid_body',
  'cut_short',
  'redirect_refused',
  'too_many_redirects',
  'aborted',
  // A key is sent over https or loopback only, and only to the origin it was entered for
  'key_not_sent',
  // Failures of this machine and of Broadsheet itself
  'data_in_use',
  'data_newer',
  'data_unreadable',
  'data_read_only',
  'disk_full',
  'too_many_open_files',
  'closed',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * Why no usable answer came, where it is known more exactly than by the code: the name has no address, nobody listens
 * there, no secure connection is possible, this computer has no way there, the proxy failed, or a web page came. Those that
 * begin with `rule_` say why a saved search or a mute rule can't be used, and with `marks_` why a folder of marks can't.
 */
export const FAILURE_REASONS = [
  'name_not_found',
  'refused',
  'not_secure',
  'no_route',
  'proxy',
  'web_page',
  'rule_not_understood',
  'rule_empty',
  'rule_too_many_alternatives',
  'rule_changing_term',
  'rule_only_excludes',
  'rule_too_many',
  'rule_name_taken',
  'marks_no_folder',
  'marks_in_data_folder',
  'marks_folder_unreadable',
  'marks_folder_unwritable',
  'marks_folder_replaced',
  'marks_wrong_passphrase',
  'marks_passphrase_needed',
  'marks_incomplete',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A failure as it crosses a process boundary: a message for people and a code for programs. */
export interface Failure {
  code: ErrorCode;
  /** What happened and what to do about it, in English. The renderer has its own message for each code. */
  message: string;
  /** Whether the same call may succeed later without any change. */
  retryable: boolean;
  /** The service's correlation id (`X-Request-Id`, problem `requestId`), for its support. */
  requestId?: string;
  reason?: FailureReason;
}

interface BroadsheetErrorOptions {
  retryable?: boolean;
  requestId?: string | undefined;
  reason?: FailureReason | undefined;
  cause?: unknown;
}

/** The only error class that Broadsheet throws on purpose. Any other thrown value is a bug and becomes `internal`. */
export class BroadsheetError extends Error {
  override readonly name: string = 'BroadsheetError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly reason: FailureReason | undefined;

  constructor(code: ErrorCode, message: string, options: BroadsheetErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.requestId = options.requestId;
    this.reason = options.reason;
  }
}

let observe: (thrown: unknown) => void = () => undefined;

/** Calls `observer` with each unexpected error that {@link toFailure} converts in this thread, instead of an earlier one. */
export function observeDefects(observer: (thrown: unknown) => void): void {
  observe = observer;
}

/**
 * Converts a thrown value for the other side of a boundary. The message of an unexpected error is left out: it may
 * contain secrets.
 */
export function toFailure(thrown: unknown): Failure {
  if (!(thrown instanceof BroadsheetError)) {
    observe(thrown);
    return {
      code: 'internal',
      message: 'Something went wrong inside Broadsheet. See its log for details.',
      retryable: false,
    };
  }
  const { code, message, retryable, requestId, reason } = thrown;
  return {
    ...{ code, message, retryable },
    ...(requestId !== undefined && { requestId }),
    ...(reason !== undefined && { reason }),
  };
}

/** Converts a failure that arrived over a wire into an error to throw. */
export function fromFailure(failure: Failure): BroadsheetError {
  return new BroadsheetError(failure.code, failure.message, failure);
}
