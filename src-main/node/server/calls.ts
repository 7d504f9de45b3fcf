import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MethodName, Reply } from '../../contract/api.ts';
import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import { isMethodName } from '../../contract/methods.ts';
import type { Wire } from '../../contract/wire.ts';
import { answerJson, answerText } from './responses.ts';

/** Bytes. The largest honest call marks 1,000 ids of 512 characters. */
export const BODY_LIMIT = 1024 * 1024;
/** Bytes. Save one that brings a whole file: as much as its guard lets through, and the signs that JSON puts before quotes. */
const FILE_LIMIT = 160 * 1024 * 1024;

function bodyLimit(method: string): number {
  return method === ('data.import' satisfies MethodName) ? FILE_LIMIT : BODY_LIMIT;
}

/**
 * One call over HTTP: a JSON body with the arguments in, a {@link Reply} out, with status 200 whether it went well or not.
 * Only what is no call at all is refused with a status of its own: 415 for another content type, 413 for a body over the limit.
 */
export async function answerCall(
  wire: Wire,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Asking for this type also makes every foreign page ask permission first (CORS preflight), which is never given.
  if (!isPlainJson(request)) {
    answerText(response, 415, 'The body has to be application/json.');
    return;
  }
  const limit = bodyLimit(method);
  const body = await readBody(request, limit);
  if (body === 'too large') answerText(response, 413, `The body may hold ${limit} bytes.`);
  else if (body !== 'aborted') answerJson(response, await callWire(wire, method, body));
}

async function callWire(wire: Wire, method: string, body: Buffer): Promise<Reply<unknown>> {
  if (!isMethodName(method)) return failed(new BroadsheetError('unknown_method', `There is no method ${method}.`));
  let args: unknown;
  try {
    args = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return failed(new BroadsheetError('invalid_argument', `${method}: the body is not JSON.`));
  }
  // The guard behind the wire looks at the arguments; here they are only unpacked.
  return wire.call(method, args as never);
}

function failed(error: BroadsheetError): Reply<never> {
  return { ok: false, error: toFailure(error) };
}

function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' && headers['content-encoding'] === undefined;
}

/** The whole body, as long as it keeps to the limit. What is too much is read and thrown away, so that the answer arrives. */
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
    // A promise keeps its first answer: after a whole body this says nothing any more.
    for (const end of ['error', 'close'])
      request.once(end, () => {
        resolve('aborted');
      });
  });
}
