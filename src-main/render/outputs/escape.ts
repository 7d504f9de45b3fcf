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

/** In JSON's quotes, which are YAML's, too, with invisible characters and those that change the direction escaped. */
export function escapeYaml(text: string): string {
  return JSON.stringify(removeForbidden(text)).replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Markdown of the reader, from which a viewer loads and runs nothing: no HTML and no pictures. */
export function disarmMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
    .replace(/(\\*)(<(?=[a-z/!?%])|!(?=\[))/gi, (all, before: string, mark: string) =>
      before.length % 2 === 1 ? all : `${before}\\${mark}`,
    );
}

/** Nothing in a table cell begins a line, and prices have dollars. */
export function escapeMarkdownCell(text: string): string {
  return oneLine(text, 4_000).replace(/[\\`*_{}[\]<>|~#&!]/g, '\\$&');
}
