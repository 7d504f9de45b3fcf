// Control characters other than tab and line feed have no glyph.
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Also what turns the direction of text, which a page isolates and a notification does not. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** Forbidden in XML 1.0 (section 2.2), and half surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Removes the characters that XML forbids, even escaped. */
export function removeForbidden(text: string): string {
  return text.replace(FORBIDDEN, '');
}

/** The end of a text that was cut because it is far too long. Brackets mark an omission in any language. */
export const CUT_MARK = ' […]';

/** A text of at most `limit` UTF-16 units: a longer one ends in {@link CUT_MARK}, after a whole character. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = limit - CUT_MARK.length;
  const unit = text.charCodeAt(end - 1);
  return text.slice(0, unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end) + CUT_MARK;
}

/** A text that can be shown: well formed, without control characters, at most `limit` UTF-16 units. */
export function plainText(text: string | null | undefined, limit: number): string {
  if (!text) return '';
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.toWellFormed().replace(UNSHOWABLE, '');
}

/** The same on one line. */
export function oneLine(text: string | null | undefined, limit: number): string {
  return plainText(text, limit).replace(/\s+/g, ' ').trim();
}

/** One line of at most `longest` characters for places outside of a page, such as a desktop notification. */
export function bareLine(text: string, longest: number): string {
  const line = text.replace(HIDDEN, ' ').trim().normalize('NFC');
  const characters = Array.from(line);
  if (characters.length <= longest) return line;
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}

/** A text's paragraphs, which line feeds separate. */
export function paragraphs(text: string): string[] {
  return text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The form in which two names are the same: without differences of case, width and spacing. */
export function nameKey(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** The form in which a text is searched: without capitals, accents and differences of width. */
export function searchKey(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** `a new daily report, an updated story, and 5 changed models`. */
export function listInWords(parts: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
}

export function capitalized(text: string, locale: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
