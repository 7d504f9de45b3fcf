import { Transform, Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { BroadsheetError } from '../../contract/errors.ts';

const CHUNK = { chunkSize: 64 * 1024 };

const DECODERS: Record<string, () => Transform> = {
  gzip: () => zlib.createGunzip(CHUNK),
  'x-gzip': () => zlib.createGunzip(CHUNK),
  br: () => zlib.createBrotliDecompress(CHUNK),
  // Newer than the oldest Node that this could run on.
  ...('createZstdDecompress' in zlib && { zstd: () => zlib.createZstdDecompress(CHUNK) }),
};

/** What this runtime can decode, for `Accept-Encoding`. */
export const ACCEPT_ENCODING = Object.keys(DECODERS)
  .filter((name) => name !== 'x-gzip')
  .join(', ');

/** More layers than a proxy on top of a server adds are an attack. */
const MOST_LAYERS = 2;

/**
 * A whole body as text. `maxBytes` holds for what comes over the wire and for what it unpacks to.
 * Errors: `too_large`, `invalid_body` for an encoding that was not asked for; the streams' own for the rest.
 */
export async function readText(body: Readable, contentEncoding: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const decoders = decodersFor(contentEncoding);
  const unpack = decoders.length > 0 ? [...decoders, within(maxBytes)] : [];
  await pipeline([body, within(maxBytes), ...unpack, collect]);
  const text = Buffer.concat(chunks).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Ends a body that nobody reads on. Its last error has nobody to go to. */
export function discardBody(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

export function tooLarge(maxBytes: number): BroadsheetError {
  const mebibytes = Math.ceil(maxBytes / 1024 / 1024);
  return new BroadsheetError(
    'too_large',
    `The answer is larger than the ${mebibytes} MiB that Broadsheet takes. Nothing of it was kept.`,
  );
}

function within(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
}

/** Encodings are named in the order in which they were applied; they come off the other way round. */
function decodersFor(contentEncoding: string): Transform[] {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const factories = layers.map((name) => (Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined));
  if (layers.length > MOST_LAYERS || !factories.every((factory) => factory !== undefined)) {
    throw new BroadsheetError(
      'invalid_body',
      'The answer is packed in a way that Broadsheet did not ask for. A proxy may have changed it.',
    );
  }
  return factories.reverse().map((factory) => factory());
}
