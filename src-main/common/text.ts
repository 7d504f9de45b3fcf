// Control characters other than tab and line feed have no glyph.
// eslint-disable-next-line no-control-regex -- naming them is the point
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** Forbidden in XML 1.0 (section 2.2), even escaped, and half surrogate pairs. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export function removeForbidden(text: string): string {
  return text.replace(FORBIDDEN, '');
}

/** Stands where a value is not known. */
export const NO_VALUE = '—';

/** Brackets mark an omission in any language. */
export const CUT_MARK = ' […]';

/** `limit` is in UTF-16 units. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = limit - CUT_MARK.length;
  const unit = text.charCodeAt(end - 1);
  return text.slice(0, unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end) + CUT_MARK;
}

/** Drops control characters; `limit` is in UTF-16 units. */
export function plainText(text: string | null | undefined, limit: number): string {
  if (!text) return '';
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.toWellFormed().replace(UNSHOWABLE, '');
}

/** Drops the marks of Markdown, for where a text is quoted in part. */
export function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replace(/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}\)/g, '$1')
    .replace(/\*\*|~~|`/g, '');
}

export function oneLine(text: string | null | undefined, limit: number): string {
  return plainText(text, limit).replace(/\s+/g, ' ').trim();
}

/** For use outside the page, as in notifications; `longest` is in characters. */
export function bareLine(text: string, longest: number): string {
  const line = text.replace(HIDDEN, ' ').trim().normalize('NFC');
  const characters = Array.from(line);
  if (characters.length <= longest) return line;
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}

export function paragraphs(text: string): string[] {
  return text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function nameKey(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** Drops case, accents and width. */
export function searchKey(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Selects fonts (styles/tokens.css) and the voice of screen readers. */
export type TextLanguage = 'zh' | 'ja' | 'ko' | 'en' | '';

/** In UTF-16 units: texts don't change language after that. */
const LOOKED_AT = 400;
/** With a smaller share of Chinese, Japanese or Korean letters, a text is English with such a name in it. */
const LEAST_SHARE = 0.1;
/** Chinese texts contain a kana now and then. */
const LEAST_KANA = 0.15;

const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const LATIN = /\p{Script=Latin}/gu;

/** Guesses by the letters. Empty if unknown: `lang=""` keeps the page's language from the text. */
export function textLanguage(text: string): TextLanguage {
  const start = text.slice(0, LOOKED_AT);
  const latin = countMatches(start, LATIN);
  const hangul = countMatches(start, HANGUL);
  const kana = countMatches(start, KANA);
  const eastern = countMatches(start, HAN) + kana + hangul;
  if (eastern > 0 && eastern >= LEAST_SHARE * (eastern + latin)) {
    if (hangul * 2 > eastern) return 'ko';
    return kana >= LEAST_KANA * eastern ? 'ja' : 'zh';
  }
  return latin > 0 ? 'en' : '';
}

export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
