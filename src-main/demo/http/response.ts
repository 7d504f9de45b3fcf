import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Before caching headers and compression. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** In seconds, for shared caches. Set only if the response has an ETag. */
  lifetime?: number;
  /** Made for the holder of one key: shared caches must not store it. */
  isPrivate?: boolean;
}

const PACK_FROM_BYTES = 1024;
const packGzip = promisify(gzip);
const packBrotli = promisify(brotliCompress);

export function json(value: unknown, lifetime: number): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
    lifetime,
  };
}

export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer | undefined;
}

export async function prepare(request: IncomingMessage, answer: ApiResponse): Promise<Outgoing> {
  const headers: Record<string, string> = { ...answer.headers };
  if (answer.lifetime !== undefined) {
    headers['cache-control'] = answer.isPrivate
      ? `private, max-age=${answer.lifetime}`
      : `public, max-age=0, s-maxage=${answer.lifetime}`;
    headers['etag'] = validatorOf(request.url ?? '', answer.body);
    headers['vary'] = 'Accept-Encoding';
    if (isHeld(request.headers['if-none-match'], headers['etag'])) {
      delete headers['content-type'];
      return { status: 304, headers, bytes: undefined };
    }
  }
  const { coding, bytes } = await pack(answer.body, request.headers['accept-encoding']);
  if (coding) headers['content-encoding'] = coding;
  headers['content-length'] = String(bytes.length);
  return { status: answer.status, headers, bytes: request.method === 'HEAD' ? undefined : bytes };
}

/** Returns a weak ETag that differs for each exact address, as seen on a service of this kind. */
function validatorOf(url: string, body: string): string {
  return `W/"${createHash('sha1').update(url).update('\0').update(body).digest('base64url')}"`;
}

/** Compares byte for byte: a client that changes an ETag (drops `W/` or the quotes) gets the whole body. */
function isHeld(ifNoneMatch: string | undefined, validator: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((held) => held.trim() === '*' || held.trim() === validator);
}

async function pack(
  body: string,
  acceptEncoding: string | string[] | undefined,
): Promise<{ coding?: string; bytes: Buffer }> {
  const bytes = Buffer.from(body);
  if (bytes.length < PACK_FROM_BYTES) return { bytes };
  const accepted = acceptedCodings(String(acceptEncoding ?? ''));
  if (accepted.has('br')) {
    // Quality 4 of 11: 11 takes seconds for a snapshot page.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
    return { coding: 'br', bytes: await packBrotli(bytes, { params }) };
  }
  if (accepted.has('gzip')) return { coding: 'gzip', bytes: await packGzip(bytes, { level: 4 }) };
  return { bytes };
}

function acceptedCodings(header: string): Set<string> {
  const offers = header.split(',').map((offer) =>
    offer
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  );
  return new Set(offers.filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? '')).map(([coding = '']) => coding));
}
