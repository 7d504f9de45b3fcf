import { createHash } from 'node:crypto';

/** What XML 1.0 forbids (section 2.2), and half surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text without the characters that XML forbids, even escaped. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '');
}

/** The namespace of Broadsheet's ids, drawn at random once. Never change it: feed readers would show everything again. */
const NAMESPACE = Buffer.from('5d1f4c0e9b8a4f6f8d0b7a52c3e6914d', 'hex');

/**
 * A UUID as a URN, always the same for the same parts (RFC 9562, version 5): the id of an entry, a feed or a book outlives
 * the file, the address of the original and the host of the service's pages.
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

/** Whom a feed is from, by the name of the news service: that of its host. */
export function serviceLabel(service: string): string {
  return URL.parse(service)?.host ?? 'Broadsheet demo';
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** RFC 3339 in UTC, 24 characters; null for what is no time. RFC 3339 has years of four digits. */
export function feedTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : new Date(Math.max(EARLIEST, Math.min(ms, LATEST))).toISOString();
}

/** The later of two times of {@link feedTime}. */
export function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
