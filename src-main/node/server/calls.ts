import type { IncomingMessage, ServerResponse } from 'node:http';
import { isMethodName, type MethodName, type Reply } from '../../contract/methods.ts';
import type { Wire } from '../../contract/wire.ts';
import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import { answerJson, answerText } from './responses.ts';

/** In bytes. The largest regular call marks 1,000 ids of 512 characters. */
export const BODY_LIMIT = 1024 * 1024;
/** In bytes, for a call with a whole file: the limit of its guard, plus JSON escapes. */
const FILE_LIMIT = 160 * 1024 * 1024;

function bodyLimit(method: string): number {
  return method === ('data.import' satisfies MethodName) ? FILE_LIMIT : BODY_LIMIT;
}

/** Sends a {@link Reply} with status 200, even for failed calls; 413 (size) and 415 (content type) mean no call. */
export async function answerCall(
  wire: Wire,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // This type also forces a CORS preflight for pages of other origins, which is never granted.
  if (!isPlainJson(request)) {
    answerText(response, 415, 'The body must be application/json.');
    return;
  }
  const limit = bodyLimit(method);
  const body = await readBody(request, limit);
  if (body === 'too large') answerText(response, 413, `The body must not exceed ${limit} bytes.`);
  else if (body !== 'aborted') answerJson(response, await callWire(wire, method, body));
}

async function callWire(wire: Wire, method: string, body: Buffer): Promise<Reply<unknown>> {
  if (!isMethodName(method)) return failed(new BroadsheetError('unknown_method', 'There is no such method.'));
  let args: unknown;
  try {
    args = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return failed(new BroadsheetError('invalid_argument', `${method}: the body is not JSON.`));
  }
  // The wire's guard validates the arguments.
  return wire.call(method, args as never);
}

function failed(error: BroadsheetError): Reply<never> {
  return { ok: false, error: toFailure(error) };
}

function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' && headers['content-encoding'] === undefined;
}

/** Reads the body up to the limit; answering discards the rest. */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve('too large');
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    // Has no effect after `end`, because a promise resolves only once.
    for (const end of ['error', 'close'])
      request.once(end, () => {
        resolve('aborted');
      });
  });
}
