import { webAddress } from './web-address.ts';

/** Escapes a text for HTML. Control characters are removed, because HTML doesn't allow them. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Only http and https addresses become links; others are shown as text. */
export function linkHtml(url: string | null | undefined, content: string): string {
  const target = webAddress(url);
  return target === null ? content : `<a href="${escaped(target)}" rel="noreferrer noopener">${content}</a>`;
}
