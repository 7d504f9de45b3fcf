/**
 * Prepares text for finding names: folded (NFKC, case) and split into tokens, with one unit between two for the way
 * they are connected. `GPT-4o`, `gpt 4o` and `GPT4o` all become `gpt 4o`; `Opus 4.5` and `opus-4-5` become `opus 4.5`.
 * A token is one Chinese, Japanese or Korean character, or letters, or digits with the letters that follow them (`4o`).
 * The search index has different rules (search-text.ts): it has no versions, and finds `4` in `4.5`.
 */
import { isIdeograph } from '../search/search-text.ts';

export const SEPARATORS = /[ .:\n]/g;
/** Between two tokens of one name. */
const JOINED = 0x20;
/** Between a number and its next part (`4.5`), and before a plus that belongs to what it follows (`R+`). */
const GOING_ON = 0x2e;
/** Before the variant of an id (`gpt-4o:free`). */
const VARIANT = 0x3a;
/** No name spans these: a comma, a bracket, the end of a sentence. */
const BROKEN = 0x0a;
/** Between letters and digits that follow directly. Written as `JOINED`. */
const SPLIT = 0;

/** The slot of a token inside a word or number: no name begins with it or ends before it. */
export const INSIDE = -1;
export const SLOTS = 1 << 16;

const BREAK = 1;
const SPACE = 2;
/** These two separate, unless a word follows directly: as in `4.5`, not at the end of a sentence. */
const STOP = 3;
const COLON = 4;
const DASH = 5;
const PLUS = 6;
const INVISIBLE = 7;
/** From here on: parts of words. */
const LETTER = 8;
const DIGIT = 9;
const CHARACTER = 10;

const SIGNS: readonly [RegExp, number][] = [
  [/[\ufe00-\ufe0f]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/, INVISIBLE],
  [/[-_\u2010\u2011]/, DASH],
  [/\./, STOP],
  [/:/, COLON],
  [/[\s/\u00b7]/, SPACE],
  [/\+/, PLUS],
  [/[0-9]/, DIGIT],
];
const WORD = /[\p{L}\p{N}\p{M}]/u;
/** NFKC turns these into letters, which would be joined to the name before them. */
const TRADE_MARKS = /[\u2120\u2122]/g;

/** 0 if unknown so far. */
const kinds = new Uint8Array(0x10000);

/** The result of `read` is valid until the next call: reusing the same arrays makes it fast. */
export class NameText {
  text = '';
  count = 0;
  starts = new Int32Array(1 << 10);
  /** The slot of each token's hash, or {@link INSIDE}. */
  slots = new Int32Array(1 << 10);
  #units = new Uint16Array(1 << 11);
  #length = 0;
  #hash = 0;

  read(text: string): void {
    const folded = text.replace(TRADE_MARKS, ' ').normalize('NFKC').toLowerCase();
    this.#empty(folded.length);
    // The kind that the last token ends with, and the sign since then; 0 for none.
    let last = 0;
    let gap = 0;
    for (let at = 0; at < folded.length; at++) {
      const unit = folded.charCodeAt(at);
      const kind = kinds[unit] || learn(unit);
      if (kind >= LETTER) {
        if (gap !== 0 || !isOneToken(last, kind)) this.#begin(between(folded, at, last, gap));
        this.#write(unit);
        last = kind;
        gap = 0;
      } else if (kind === PLUS && gap === 0 && last >= LETTER && !isWordAt(folded, at + 1)) {
        this.#begin(GOING_ON);
        this.#write(unit);
        last = PLUS;
      } else if (kind !== INVISIBLE) {
        gap = widen(gap, kind, isWordAt(folded, at + 1));
      }
    }
    this.text = Buffer.from(this.#units.buffer, 0, this.#length * 2).toString('utf16le');
  }

  #begin(between: number): void {
    if (this.#length > 0) this.#units[this.#length++] = between === SPLIT ? JOINED : between;
    this.starts[this.count] = this.#length;
    this.#hash = between === SPLIT || between === GOING_ON ? INSIDE : 0;
    this.slots[this.count++] = this.#hash;
  }

  #write(unit: number): void {
    this.#units[this.#length++] = unit;
    if (this.#hash === INSIDE) return;
    this.#hash = nextHash(this.#hash, unit);
    this.slots[this.count - 1] = this.#hash;
  }

  #empty(units: number): void {
    this.count = 0;
    this.#length = 0;
    if (units <= this.starts.length) return;
    this.starts = new Int32Array(2 * units);
    this.slots = new Int32Array(2 * units);
    this.#units = new Uint16Array(4 * units);
  }
}

export function slotOf(token: string): number {
  let hash = 0;
  for (let at = 0; at < token.length; at++) hash = nextHash(hash, token.charCodeAt(at));
  return hash;
}

function nextHash(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + unit) & (SLOTS - 1);
}

/** Returns equal texts for equal names. */
export function nameTextOf(text: string): string {
  names.read(text);
  return names.text;
}

const names = new NameText();

function isOneToken(last: number, kind: number): boolean {
  return kind === LETTER ? last === LETTER || last === DIGIT : kind === DIGIT && last === DIGIT;
}

function between(folded: string, at: number, last: number, gap: number): number {
  if (gap === BREAK) return BROKEN;
  if (gap === COLON) return VARIANT;
  const isDigit = kindAt(folded, at) === DIGIT;
  if (gap === 0) return isDigit && last === LETTER ? SPLIT : JOINED;
  const goesOn = isDigit && last === DIGIT && (gap === STOP || (gap === DASH && isNumberAt(folded, at)));
  return goesOn ? GOING_ON : JOINED;
}

function widen(gap: number, sign: number, beforeWord: boolean): number {
  const joins = sign === SPACE || sign === DASH || (beforeWord && (sign === STOP || (sign === COLON && gap === 0)));
  if (!joins || gap === BREAK) return BREAK;
  return gap === 0 ? sign : SPACE;
}

function isNumberAt(folded: string, at: number): boolean {
  while (kindAt(folded, at) === DIGIT) at++;
  return kindAt(folded, at) !== LETTER;
}

function isWordAt(folded: string, at: number): boolean {
  return kindAt(folded, at) >= LETTER;
}

function kindAt(folded: string, at: number): number {
  if (at >= folded.length) return BREAK;
  const unit = folded.charCodeAt(at);
  return kinds[unit] || learn(unit);
}

/** Classifies a UTF-16 unit once. Surrogates count as signs: names don't use those planes. */
function learn(unit: number): number {
  const char = String.fromCharCode(unit);
  const sign = SIGNS.find(([signs]) => signs.test(char))?.[1];
  return (kinds[unit] = sign ?? kindOfWord(char));
}

function kindOfWord(char: string): number {
  if (isIdeograph(char)) return CHARACTER;
  return WORD.test(char) ? LETTER : BREAK;
}
