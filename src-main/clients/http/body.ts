import { Transform, Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { BroadsheetError } from '../../contract/errors.ts';

const CHUNK = { chunkSize: 64 * 1024 };

const DECODERS: Record<string, () => Transform> = {
  gzip: () => zlib.createGunzip(CHUNK),
  'x-gzip': () => zlib.createGunzip(CHUNK),
  br: () => zlib.createBrotliDecompress(CHUNK),
  // Missing in older Node versions.
  ...('createZstdDecompress' in zlib && { zstd: () => zlib.createZstdDecompress(CHUNK) }),
};

export const ACCEPT_ENCODING = Object.keys(DECODERS)
  .filter((name) => name !== 'x-gzip')
  .join(', ');

/** A server and a proxy add one layer each; more is an attack. */
const MAX_LAYERS = 2;

const LARGE_BYTES = 4 * 1024 * 1024;
/** Another service may send its large body slowly. */
const MAX_WAIT_MS = 10_000;
let largeBody: Promise<unknown> = Promise.resolve();

/** Reads of large bodies wait for each other: four of them at once would need half a gigabyte. */
class LargeBodyTurn {
  #turn: Promise<unknown> | null = null;
  readonly #done = Promise.withResolvers();

  wait(): Promise<unknown> {
    if (this.#turn === null) {
      this.#turn = largeBody;
      largeBody = this.#turn.then(() => this.#done.promise);
    }
    return this.#turn;
  }

  end(): void {
    this.#done.resolve(null);
  }
}

/** Limits both sizes, compressed and not. Errors: `too_large`, `invalid_body`, errors of the streams. */
export async function readText(
  body: Readable,
  contentEncoding: string,
  maxBytes: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const turn = new LargeBodyTurn();
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= LARGE_BYTES) done();
      else void Promise.race([turn.wait(), delay(MAX_WAIT_MS, null, { ref: false })]).then(() => done());
    },
  });
  const decoders = decodersFor(contentEncoding);
  const unpack = decoders.length > 0 ? [...decoders, limitBytes(maxBytes)] : [];
  try {
    await pipeline([body, limitBytes(maxBytes, onBytes), ...unpack, collect]);
    const text = Buffer.concat(chunks).toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  } finally {
    chunks.length = 0;
    turn.end();
  }
}

export function discardBody(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

export function tooLarge(maxBytes: number): BroadsheetError {
  const mebibytes = Math.ceil(maxBytes / 1024 / 1024);
  return new BroadsheetError(
    'too_large',
    `The response is larger than the limit of ${mebibytes} MiB. Nothing was saved.`,
  );
}

function limitBytes(maxBytes: number, onBytes: (bytes: number) => void = () => undefined): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      bytes += chunk.length;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
}

/** Decodes in reverse: `Content-Encoding` lists encodings as they were applied. */
function decodersFor(contentEncoding: string): Transform[] {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const factories = layers.map((name) => (Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined));
  if (layers.length > MAX_LAYERS || !factories.every((factory) => factory !== undefined)) {
    throw new BroadsheetError(
      'invalid_body',
      'The response uses an encoding that was not requested. A proxy may have changed it.',
    );
  }
  return factories.reverse().map((factory) => factory());
}
