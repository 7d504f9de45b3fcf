import { webAddress } from './web-address.ts';

/** A text on one line with all markup escaped. */
export function inline(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/\p{Cc}/gu, '\ufffd')
      .replace(/[\\`*_[\]<>~|$&]/g, '\\$&')
      // These have a meaning only at the start of a line.
      .replace(/^[#+=-]/, '\\$&')
      .replace(/^(\d+)([.)])/, '$1\\$2')
  );
}

/** Paragraphs with all markup escaped. */
export function paragraphs(text: string | null): string {
  return (text ?? '')
    .split(/\r\n?|\n/)
    .map(inline)
    .filter((line) => line !== '')
    .join('\n\n');
}

/** Only http and https addresses become links; others are shown as text. */
export function link(url: string | null | undefined, text: string): string {
  const target = webAddress(url);
  return target === null ? text : `[${text}](<${target.replace(/[<>\\]/g, encodeURIComponent)}>)`;
}
