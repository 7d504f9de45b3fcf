// Control characters (save tab and line feed) have no glyph, and lone surrogates are no text at all.
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text of the service as it can be shown: well formed, without control characters, at most `limit` UTF-16 units. */
export function plainText(text: string | null | undefined, limit: number): string {
  if (!text) return '';
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.toWellFormed().replace(UNSHOWABLE, '');
}

/** The same on one line, for rows of a list. */
export function oneLine(text: string | null | undefined, limit: number): string {
  return plainText(text, limit).replace(/\s+/g, ' ').trim();
}

/** A text's paragraphs; the service separates them by line feeds. */
export function paragraphs(text: string): string[] {
  return text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
