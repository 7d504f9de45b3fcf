import { oneLine, removeForbidden } from '../../common/text.ts';

export function escapeHtml(text: string): string {
  return removeForbidden(text)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
    .replace(/[&<>"']/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
}

/** CommonMark, on one line. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/\p{Cc}/gu, '\ufffd')
      .replace(/[\\`*_[\]<>~|$&]/g, '\\$&')
      // Special only at the start of a line.
      .replace(/^[#+=-]/, '\\$&')
      .replace(/^(\d+)([.)])/, '$1\\$2')
  );
}

/** Nothing in a table cell begins a line, and prices have dollars. */
export function escapeMarkdownCell(text: string): string {
  return oneLine(text, 4_000).replace(/[\\`*_{}[\]<>|~#&!]/g, '\\$&');
}
