import { createHash } from 'node:crypto';

/** Random. Never change it: feed readers would show everything again. */
const NAMESPACE = Buffer.from('5d1f4c0e9b8a4f6f8d0b7a52c3e6914d', 'hex');

/**
 * Returns the same URN for the same parts (RFC 9562, version 5): ids outlive the file, the original's address and the
 * host of the service's pages.
 */
export function stableId(...parts: readonly string[]): string {
  const digest = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex');
  const lengths = [0, 8, 12, 16, 20, 32];
  return `urn:uuid:${lengths
    .slice(1)
    .map((end, at) => hex.slice(lengths[at], end))
    .join('-')}`;
}
