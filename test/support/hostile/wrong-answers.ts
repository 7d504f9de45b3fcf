import fc from 'fast-check';
import type http from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { changeBody, changeText } from './mutations.ts';

/**
 * Faults of an answer. Numbers choose one of a list, or are the seed of a change, so that a smaller case is a simpler
 * one.
 */
export type Wrong =
  | { kind: 'values'; seeds: number[] }
  | { kind: 'text'; seed: number }
  | { kind: 'nonsense'; which: number }
  | { kind: 'another' }
  | { kind: 'status'; status: number; retryAfter: string | null }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'encoding'; which: keyof typeof ENCODINGS }
  | { kind: 'redirect'; status: number; to: string }
  | { kind: 'ending'; how: 'reset' | 'before the end' | 'after the headers' };

export interface Answer {
  status: number;
  headers: http.OutgoingHttpHeaders;
  body: Buffer;
  /** True if the connection breaks after the body. */
  breaks?: boolean;
}

/** Longer waits would stop the proof: test/sync/faults/faults.test.ts has them. */
const RETRY_AFTER = [null, '0', '-1', 'soon', '', 'Thu, 01 Jan 1970 00:00:00 GMT'];
const STATUSES = [
  200, 201, 202, 203, 204, 205, 206, 226, 299, 300, 304, 305, 306, 399, 400, 401, 402, 403, 404, 405, 406, 408, 409,
  410, 411, 412, 413, 414, 415, 416, 418, 421, 422, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505,
  507, 511, 599, 600, 999,
];
const HEADERS: [name: string, values: string[]][] = [
  [
    'content-type',
    ['', 'text/html', 'text/plain', 'application/json; charset=utf-16', 'application/problem+json', 'json', '*/*'],
  ],
  ['etag', ['', '"', 'W/', '"a", "b"', '*', `"${'e'.repeat(5_000)}"`, '"\u00ff"']],
  ['cache-control', ['', 'no-store', 's-maxage=-1', 's-maxage=x', 'max-age=0.5', ',,,=', 'private="']],
  ['date', ['', 'yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', '0']],
  ['age', ['-1', 'x', '99999999999999999999']],
  ['last-modified', ['never', 'Fri, 31 Dec 9999 23:59:59 GMT']],
  ['content-language', ['zh-CN']],
  ['set-cookie', ['session=1; Path=/; HttpOnly']],
  ['link', ['<http://127.0.0.1:1/>; rel=next']],
  ['content-range', ['bytes 0-1/2']],
  ['x-filler', ['x'.repeat(15_000), 'x'.repeat(60_000)]],
  ['content-length', ['short', 'long']],
];
const TARGETS = [
  '',
  '#',
  '?',
  '/',
  '/api/v1/items',
  '//127.0.0.1:1/',
  'http://127.0.0.1:1/',
  'http://user:password@127.0.0.1/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:application/json,{}',
  'http://[::1',
  '../'.repeat(100),
  'x'.repeat(8_000),
];
const UTF16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const ENCODINGS = {
  'gzip that is none': (body: Buffer) => ({ encoding: 'gzip', body }),
  'half of gzip': (body: Buffer) => ({ encoding: 'gzip', body: gzipSync(body).subarray(0, 40) }),
  'gzip twice': (body: Buffer) => ({ encoding: 'gzip, gzip', body: gzipSync(gzipSync(body)) }),
  'gzip with more behind it': (body: Buffer) => ({ encoding: 'gzip', body: Buffer.concat([gzipSync(body), body]) }),
  brotli: (body: Buffer) => ({ encoding: 'br', body: brotliCompressSync(body) }),
  deflate: (body: Buffer) => ({ encoding: 'deflate', body: deflateSync(body) }),
  unknown: (body: Buffer) => ({ encoding: 'x-unknown', body }),
  'UTF-16': (body: Buffer) => ({ encoding: '', body: UTF16(body.toString()) }),
  'UTF-16 with a mark': (body: Buffer) => ({ encoding: '', body: UTF16(`\uFEFF${body.toString()}`) }),
  'Latin-1': (body: Buffer) => ({ encoding: '', body: Buffer.from(body.toString(), 'latin1') }),
  'no UTF-8': (body: Buffer) => ({
    encoding: '',
    body: Buffer.from(body.map((byte, at) => (at % 97 === 50 ? 0xff : byte))),
  }),
} as const;
const LIST = '"cursor":"c","count":null,"hasMore":false,"page":{"hasMore":false}';
const item = (more: string): string => `{"id":"odd","title":"Odd","discoveredAt":"2026-03-18T06:00:00Z"${more}}`;
const listOf = (records: string): string =>
  `{${LIST},"items":[${records}],"data":[${records}],"changes":[${records}],"topics":[${records}]}`;
/** JSON that is well-formed and means nothing, or something that cannot be. */
const NONSENSE = [
  '',
  'null',
  '0',
  '""',
  '[]',
  '{}',
  'true',
  '{"error":{"code":500,"message":"No"}}',
  '{"items":{}}',
  listOf(''),
  listOf('{}'),
  listOf(item('')),
  listOf(`${item('')},${item('')}`),
  listOf(item(',"publishedAt":"9999-12-31T23:59:59Z"')),
  listOf(item(',"publishedAt":"2017-01-01T00:00:00Z","selected":true,"score":1e308')),
  listOf(item(`,"labels":[${Array.from({ length: 1_000 }, (_, n) => `"label-${n}"`).join(',')}]`)),
  listOf(item('').replace('"odd"', '"__proto__"')),
  `{"cursor":"c","hasMore":true,"nextPage":"p","items":[],"changes":[]}`,
  `{"id":"odd","title":null,"reports":[],"timeline":[],"items":[]}`,
];

/** All ways in which an answer can be wrong, JSON that is nearly right most often. */
export function wrongAnswers(): fc.Arbitrary<Wrong> {
  const seed = fc.nat({ max: 1_000_000 });
  const header = fc
    .constantFrom(...HEADERS)
    .chain(([name, values]) =>
      fc.record({ kind: fc.constant('header' as const), name: fc.constant(name), value: fc.constantFrom(...values) }),
    );
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('values' as const),
        seeds: fc.array(seed, { minLength: 1, maxLength: 6 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('text' as const), seed }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('nonsense' as const), which: fc.nat({ max: NONSENSE.length - 1 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('another' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('status' as const),
        status: fc.constantFrom(...STATUSES),
        retryAfter: fc.constantFrom(...RETRY_AFTER),
      }),
    },
    { weight: 2, arbitrary: header },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('encoding' as const),
        which: fc.constantFrom(...(Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[])),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('redirect' as const),
        status: fc.constantFrom(301, 302, 303, 307, 308),
        to: fc.constantFrom(...TARGETS),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('ending' as const),
        how: fc.constantFrom('reset' as const, 'before the end' as const, 'after the headers' as const),
      }),
    },
  );
}

/** The wrong form of a right answer. `another`: the body of another answer. Null: the connection is reset. */
export function spoiled(right: Answer, wrong: Wrong, another: Buffer): Answer | null {
  const { headers, body } = right;
  const text = body.toString();
  switch (wrong.kind) {
    case 'values':
      return { ...right, body: Buffer.from(changedValues(text, wrong.seeds)) };
    case 'text':
      return { ...right, body: Buffer.from(changeText(text, wrong.seed)) };
    case 'nonsense':
      return { ...right, body: Buffer.from(NONSENSE[wrong.which] ?? '') };
    case 'another':
      return { ...right, body: another };
    case 'status': {
      const wait = wrong.retryAfter === null ? {} : { 'retry-after': wrong.retryAfter };
      const bare = [204, 205, 304].includes(wrong.status);
      return { status: wrong.status, headers: { ...headers, ...wait }, body: bare ? Buffer.alloc(0) : body };
    }
    case 'header':
      return wrong.name === 'content-length'
        ? withLength(right, wrong.value === 'long')
        : { ...right, headers: { ...headers, [wrong.name]: wrong.value } };
    case 'encoding': {
      const { encoding, body: encoded } = ENCODINGS[wrong.which](body);
      return { ...right, headers: { ...headers, ...(encoding && { 'content-encoding': encoding }) }, body: encoded };
    }
    case 'redirect':
      return { status: wrong.status, headers: { location: wrong.to }, body: Buffer.alloc(0) };
    case 'ending':
      if (wrong.how === 'reset') return null;
      return { ...right, body: wrong.how === 'before the end' ? body.subarray(0, -1) : Buffer.alloc(0), breaks: true };
  }
}

function changedValues(text: string, seeds: readonly number[]): string {
  try {
    return changeBody(text, seeds);
  } catch {
    return changeText(text, seeds[0] ?? 0);
  }
}

/** Sends a length other than that of the body. The connection ends after it, so that no client waits for more. */
function withLength({ status, headers, body }: Answer, long: boolean): Answer {
  const length = long ? body.length + 10 : Math.floor(body.length / 2);
  return { status, headers: { ...headers, 'content-length': length }, body, breaks: true };
}
