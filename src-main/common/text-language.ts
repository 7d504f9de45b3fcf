/** Selects the fonts of a text (styles/tokens.css) and the voice that reads it out. */
export type TextLanguage = 'zh' | 'ja' | 'ko' | 'en' | '';

/** UTF-16 units that are looked at: a text does not change its language after that. */
const LOOKED_AT = 400;
/** A text with fewer Han characters among its letters is an English one with a Chinese name in it. */
const LEAST_SHARE = 0.1;
/** Chinese texts have a kana now and then. */
const LEAST_KANA = 0.15;

const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const LATIN = /\p{Script=Latin}/gu;

/**
 * The language of a text of a service, by its letters, as a value for `lang`. Empty if it is unknown: `lang=""` keeps the
 * language of the page from the text.
 */
export function textLanguage(text: string): TextLanguage {
  const start = text.slice(0, LOOKED_AT);
  const latin = count(start, LATIN);
  const hangul = count(start, HANGUL);
  const kana = count(start, KANA);
  const eastern = count(start, HAN) + kana + hangul;
  if (eastern > 0 && eastern >= LEAST_SHARE * (eastern + latin)) {
    if (hangul * 2 > eastern) return 'ko';
    return kana >= LEAST_KANA * eastern ? 'ja' : 'zh';
  }
  return latin > 0 ? 'en' : '';
}

function count(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}
