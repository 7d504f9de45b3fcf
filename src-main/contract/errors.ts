/** Scripts and translations rely on them: never rename a code or change its meaning. */
export const ERROR_CODES = [
  'invalid_argument',
  'unknown_method',
  'not_found',
  'forbidden_sender',
  'link_refused',
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
  'unreachable',
  'timeout',
  'too_large',
  'wrong_content_type',
  'invalid_body',
  'cut_short',
  'redirect_refused',
  'too_many_redirects',
  'aborted',
  'key_not_sent',
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

/** Refines a code. `rule_` is for saved searches and mute rules, `devices_` for the folder that devices share. */
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
  'devices_no_folder',
  'devices_in_data_folder',
  'devices_folder_unreadable',
  'devices_folder_unwritable',
  'devices_folder_replaced',
  'devices_wrong_passphrase',
  'devices_passphrase_needed',
  'devices_incomplete',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

export interface Failure {
  code: ErrorCode;
  /** In English, with what to do about it. The page has its own message for each code. */
  message: string;
  retryable: boolean;
  requestId?: string;
  reason?: FailureReason;
}

interface BroadsheetErrorOptions {
  retryable?: boolean;
  requestId?: string | undefined;
  reason?: FailureReason | undefined;
  cause?: unknown;
}

/** The only error that Broadsheet throws on purpose. Any other is a bug and becomes `internal`. */
export class BroadsheetError extends Error {
  override readonly name: string = 'BroadsheetError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly reason: FailureReason | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { retryable = false, requestId, reason, cause }: BroadsheetErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable;
    this.requestId = requestId;
    this.reason = reason;
  }
}

let observe: (thrown: unknown) => void = () => undefined;

export function observeDefects(observer: (thrown: unknown) => void): void {
  observe = observer;
}

/** Drops the message of an unexpected error, which may contain secrets. */
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

/** For the log: the code for programs, the reason for people. */
export function logFields(error: unknown): { code: ErrorCode; reason: string } {
  const { code, message } = toFailure(error);
  return { code, reason: message };
}

export function fromFailure(failure: Failure): BroadsheetError {
  return new BroadsheetError(failure.code, failure.message, failure);
}
