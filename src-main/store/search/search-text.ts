/**
 * Splits text into searchable tokens, for the index, queries and snippets alike: one Chinese, Japanese or Korean character,
 * or a run of other letters and digits, folded by NFKC, case and accents. SQLite's tokenizers recognise few Chinese words, so
 * its `ascii` tokenizer only splits at the spaces inserted here. After a change, increment `SEARCH_LAYOUT` (search-index.ts).
 */

export interface FoldedText {
  folded: string;
  /** Three numbers per token: its start in `folded`, and its [start, end) UTF-16 offsets in the text. */
  offsets: number[];
}

/** In UTF-16 units. Longer words are cut, in text and query alike; FTS5 would cut at another length. */
const MAX_WORD = 64;

const IDEOGRAPH =
  /^(?=[\p{L}\p{N}\p{M}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3099\u309a]/u;
const WORD = /^[\p{L}\p{N}\p{M}]/u;
/** Accents, enclosing marks and variation selectors, but not Kana voicing marks, which make a different letter. */
const ACCENTS = /(?![\u3099\u309a])(?=\p{Script=Inherited})\p{M}/gu;
/** Soft hyphens, joiners and direction marks don't end a word. */
const INVISIBLE = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
/** NFKC turns these into letters, which would be joined to the name before them. */
const TRADE_MARK = /[\u2120\u2122]/u;
const VOICEABLE_KANA = /[\u3040-\u30ff\uff66-\uff9d]/u;
const OPENS_CLUSTER = /[\ud800-\udfff\u1100-\u115f\ua960-\ua97f]/;
/** A code point with what combines with it: Kana voicing marks (also half-width), and Hangul vowels and finals. */
const CLUSTER = /[^][\u3099\u309a\uff9e\uff9f\u1160-\u11ff]*/uy;

type Kind = 1 | 2 | 3 | 4 | 5 | 6;
const SEPARATOR = 1;
const LETTER = 2;
const CHARACTER = 3;
/** A CHARACTER, unless a voicing mark follows. */
const VOICEABLE = 4;
const IGNORED = 5;
/** Depends on its neighbours, or folds to several units. */
const COMPLEX = 6;

/** By UTF-16 unit; kind 0 is unknown so far. Nearly all text needs nothing else. */
const kinds = new Uint8Array(0x10000);
const folds = new Uint16Array(0x10000);

interface Piece {
  kind: typeof SEPARATOR | typeof LETTER | typeof CHARACTER;
  text: string;
}
/** Hostile text can contain any number of them, so a full map is cleared. */
const clusters = new Map<string, Piece[]>();
const MAX_CLUSTERS = 10_000;

export function indexText(text: string): string {
  scanner.scan(text, null);
  return scanner.written();
}

/** Separates two fields in one column, so that no phrase spans both. No query contains it: it is not a letter. */
export const FIELD_END = ' \ue000 ';

export function indexFields(texts: readonly (string | null)[]): string {
  return texts
    .map((text) => indexText(text ?? ''))
    .filter((text) => text !== '')
    .join(FIELD_END);
}

export function tokensOf(text: string): string[] {
  const folded = indexText(text);
  return folded === '' ? [] : folded.split(' ');
}

export function foldText(text: string): FoldedText {
  const offsets: number[] = [];
  scanner.scan(text, offsets);
  return { folded: scanner.written(), offsets };
}

/** True for a script written without spaces. */
export function isIdeograph(token: string): boolean {
  return IDEOGRAPH.test(token);
}

/** Shared by all texts: reusing a buffer of UTF-16 units is several times as fast as joining strings. */
class Scanner {
  #units = new Uint16Array(1 << 14);
  #length = 0;
  /** Start of the current word; -1 between words. */
  #word = -1;
  #offsets: number[] | null = null;

  /** Valid until the next scan. */
  written(): string {
    return Buffer.from(this.#units.buffer, 0, this.#length * 2).toString('utf16le');
  }

  scan(text: string, offsets: number[] | null): void {
    this.#length = 0;
    this.#word = -1;
    this.#offsets = offsets;
    this.#reserve(2 * text.length);
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const kind = kinds[unit] || learn(unit);
      if (kind === LETTER) this.#letter(folds[unit] ?? 0, at);
      else if (kind === SEPARATOR) this.#word = -1;
      else if (kind === CHARACTER || (kind === VOICEABLE && !isVoicing(text.charCodeAt(at + 1))))
        this.#character(folds[unit] ?? 0, at);
      else if (kind === IGNORED) this.#stretch(at, at + 1);
      else at = this.#cluster(text, at) - 1;
    }
  }

  #letter(unit: number, at: number): void {
    if (this.#word < 0) this.#open(at);
    if (this.#length - this.#word < MAX_WORD) this.#units[this.#length++] = unit;
    this.#close(at + 1);
  }

  #character(unit: number, at: number): void {
    this.#open(at);
    this.#units[this.#length++] = unit;
    this.#word = -1;
    this.#close(at + 1);
  }

  #open(at: number): void {
    if (this.#length > 0) this.#units[this.#length++] = 0x20;
    this.#word = this.#length;
    this.#offsets?.push(this.#word, at, at);
  }

  #close(end: number): void {
    if (this.#offsets !== null) this.#offsets[this.#offsets.length - 1] = end;
  }

  /** Extends the token that ends at `at`, so that a highlighted match includes its accents. */
  #stretch(at: number, end: number): void {
    if (this.#offsets?.at(-1) === at) this.#close(end);
  }

  /** Returns the end of the cluster in the text. */
  #cluster(text: string, at: number): number {
    const cluster = clusterAt(text, at);
    const end = at + cluster.length;
    const pieces = piecesOf(cluster);
    if (pieces.length === 0) this.#stretch(at, end);
    for (const piece of pieces) {
      this.#reserve(this.#length + piece.text.length + 1 + 2 * (text.length - at));
      if (piece.kind === CHARACTER || (piece.kind === LETTER && this.#word < 0)) this.#open(at);
      if (piece.kind !== SEPARATOR) this.#append(piece.text, end);
      if (piece.kind !== LETTER) this.#word = -1;
    }
    return end;
  }

  #append(text: string, end: number): void {
    if (this.#length - this.#word + text.length <= MAX_WORD) {
      for (let i = 0; i < text.length; i++) this.#units[this.#length++] = text.charCodeAt(i);
    }
    this.#close(end);
  }

  #reserve(units: number): void {
    if (units <= this.#units.length) return;
    const larger = new Uint16Array(2 * units);
    larger.set(this.#units.subarray(0, this.#length));
    this.#units = larger;
  }
}

const scanner = new Scanner();

function learn(unit: number): Kind {
  const char = String.fromCharCode(unit);
  const folded = fold(char);
  folds[unit] = folded.charCodeAt(0);
  return (kinds[unit] = kindOfUnit(char, folded));
}

function kindOfUnit(char: string, folded: string): Kind {
  if (OPENS_CLUSTER.test(char)) return COMPLEX;
  if (folded === '' || INVISIBLE.test(char)) return IGNORED;
  if (TRADE_MARK.test(char)) return SEPARATOR;
  if (folded.length > 1) return COMPLEX;
  if (VOICEABLE_KANA.test(char) && IDEOGRAPH.test(folded)) return VOICEABLE;
  return kindOfFolded(folded);
}

function kindOfFolded(folded: string): Piece['kind'] {
  if (IDEOGRAPH.test(folded)) return CHARACTER;
  return WORD.test(folded) ? LETTER : SEPARATOR;
}

/** Upper case first: this turns "ß" into "ss" and both small sigmas into one, as full case folding does. */
function fold(text: string): string {
  const sameCase = text.normalize('NFKC').toUpperCase().toLowerCase();
  return sameCase.normalize('NFKD').replace(ACCENTS, '').normalize('NFKC');
}

function piecesOf(cluster: string): Piece[] {
  let pieces = clusters.get(cluster);
  if (pieces === undefined) {
    pieces = Array.from(fold(cluster), (text) => ({ kind: kindOfFolded(text), text }));
    if (clusters.size >= MAX_CLUSTERS) clusters.clear();
    clusters.set(cluster, pieces);
  }
  return pieces;
}

function clusterAt(text: string, at: number): string {
  CLUSTER.lastIndex = at;
  return CLUSTER.exec(text)?.[0] ?? text.charAt(at);
}

function isVoicing(unit: number): boolean {
  return unit === 0x3099 || unit === 0x309a || unit === 0xff9e || unit === 0xff9f;
}
