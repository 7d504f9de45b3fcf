import { errors } from 'undici';
import { BroadsheetError } from '../../contract/errors.ts';

/** Whether the answer's head had arrived: the same broken socket is "unreachable" before it and "cut short" after. */
export type Phase = 'asking' | 'reading';

const CONNECT_TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** The packing broke off in the middle (zlib's word for it, whichever the format), or the HTTP framing did. */
const ENDED_EARLY = new Set(['Z_BUF_ERROR', 'HPE_INVALID_EOF_STATE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/** zlib, brotli (`ERR__ERROR_...`), zstd and the HTTP parser: bytes that are not what they are said to be. */
const NOT_WELL_FORMED = /^(Z_|ERR_(?:_|BROTLI|ZLIB|PADDING)|ZSTD_|HPE_)/;

/** What a thrown error of the network, the HTTP parser or a decoder means to a reader. */
export function transportError(thrown: unknown, phase: Phase, host: string): BroadsheetError {
  if (thrown instanceof BroadsheetError) return thrown;
  const code = codeOf(thrown);
  if (CONNECT_TIMEOUTS.has(code)) {
    return failure(
      'timeout',
      `${host} did not take the connection in time. Check the network and the service address.`,
      thrown,
    );
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return failure('too_large', `The head of the answer of ${host} is larger than Broadsheet takes.`, thrown);
  }
  if (phase === 'reading' && ENDED_EARLY.has(code)) return cutShort(host, thrown);
  if (NOT_WELL_FORMED.test(code) || isParserError(thrown)) {
    return failure('invalid_body', `The answer of ${host} is damaged and cannot be read. Try again later.`, thrown);
  }
  if (phase === 'reading') return cutShort(host, thrown);
  return failure(
    'unreachable',
    `${host} cannot be reached (${code || 'no connection'}). Check the network and the service address.`,
    thrown,
  );
}

function cutShort(host: string, cause: unknown): BroadsheetError {
  return failure(
    'cut_short',
    `The answer of ${host} broke off before its end. Nothing of it was kept; try again later.`,
    cause,
  );
}

function failure(code: BroadsheetError['code'], message: string, cause: unknown): BroadsheetError {
  return new BroadsheetError(code, message, { cause });
}

/** The HTTP parser does not give all of its errors a code. */
function isParserError(thrown: unknown): boolean {
  return thrown instanceof errors.HTTPParserError;
}

export function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : '';
  return typeof code === 'string' ? code : '';
}
