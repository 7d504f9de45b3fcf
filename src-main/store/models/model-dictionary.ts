import { createHash } from 'node:crypto';
import { isAliasId } from '../../common/model-line.ts';
import { isIdeograph } from '../search/search-text.ts';
import type { Alias } from './model-statuses.ts';

export interface NamedModel {
  id: string;
  /** As received, sometimes with the vendor before a colon. */
  name: string;
}

const MAX_TOKENS = 24;
const MIN_WORD = 5;
/** In letters and digits: `R1` and `V3` are names of many things. */
const MIN_NAME = 3;

/** Too common alone, in pairs or with a number. */
const COMMON = new Set(
  `a agent air alpha and assistant audio auto base basic beta chat claw code coder coding command compact core custom deep
  default dev distill edge embed embedding embeddings english experimental extended fast flash free fusion guard high image
  instant instruct large latest light lite live long low math max medium micro mini model models multilingual multimodal nano
  new next omni online open pilot plus premier preview pro quality reasoner reasoning release rerank research router search
  small smart speech standard studio super text the think thinking tiny turbo ultra unified v version video vision vl voice
  web x xl`.split(/\s+/),
);
const COMMON_CHINESE = new Set(
  `模型 大模型 小模型 语言模型 大语言模型 智能 人工智能 智能体 助手 对话 推理 思考 视觉 多模态 预览 免费 标准 专业 高级 极速
  轻量 旗舰 嵌入 向量`.split(/\s+/),
);
const NUMBER = /^\d+[bkmt]?(\.\d+[bkmt]?)*$/;

/** Increment it when the matching rules change: all items are then matched again. */
const RULES = 2;
const MAX_TEXT = 20_000;
/** A text with more models is a list, not news about each. */
const MAX_MODELS = 32;

/** Finds models that a text names (docs/decisions/015) in one pass. */
export class ModelDictionary {
  readonly hash: string;
  /** All names with their model, and all beginnings of names with null. */
  readonly #names = new Map<string, string | null>();

  constructor(models: readonly NamedModel[], aliases: readonly Alias[]) {
    const meanings = meaningsOf(models, aliases);
    for (const [name, model] of meanings) {
      for (const { index } of name.matchAll(SEPARATORS)) {
        const beginning = name.slice(0, index);
        if (!this.#names.has(beginning)) this.#names.set(beginning, null);
      }
      this.#names.set(name, model);
    }
    this.hash = hashOf(meanings);
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  modelsIn(texts: readonly (string | null)[]): string[] {
    const found = new Set<string>();
    for (const text of texts) if (text !== null) this.#search(tokenize(text.slice(0, MAX_TEXT)), found);
    return [...found];
  }

  #search(tokens: readonly Token[], found: Set<string>): void {
    for (let at = 0; at < tokens.length && found.size < MAX_MODELS; at++) {
      const token = tokens[at];
      if (token && !token.isInside && this.#names.has(token.text)) at = this.#longest(tokens, at, found);
    }
  }

  /** Finds the longest name from token `at` and returns its last token; `at` if there is none. */
  #longest(tokens: readonly Token[], at: number, found: Set<string>): number {
    let name = '';
    let named: string | null = null;
    let last = at;
    for (const [n, token] of tokens.slice(at, at + MAX_TOKENS).entries()) {
      name += n === 0 ? token.text : token.before + token.text;
      const model = this.#names.get(name);
      if (model === undefined) break;
      if (model === null || tokens[at + n + 1]?.isInside) continue;
      named = model;
      last = at + n;
    }
    if (named !== null) found.add(named);
    return last;
  }
}

/** Returns the model of each name: the one that the reader chose, else the closest match. */
export function meaningsOf(models: readonly NamedModel[], aliases: readonly Alias[]): Map<string, string> {
  const meanings = new Map<string, string>();
  const give = (given: Map<string, string>, name: string, id: string): void => {
    const holder = given.get(name);
    if (holder === undefined || isCloser(id, holder)) given.set(name, id);
  };
  for (const model of models) for (const name of namesOf(model)) give(meanings, name, model.id);
  const ids = new Set(models.map(({ id }) => id));
  const called = new Map<string, string>();
  for (const { alias, model } of aliases) {
    const name = aliasOf(alias);
    if (name !== null && ids.has(model)) give(called, name, model);
  }
  return new Map([...meanings, ...called]);
}

function hashOf(meanings: ReadonlyMap<string, string>): string {
  const sorted = [...meanings].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([RULES, sorted]))
    .digest('base64url');
}

function namesOf({ id, name }: NamedModel): string[] {
  const withoutVendor = id.slice(id.indexOf('/') + 1);
  const names = [id, withoutVariant(id), withoutVariant(withoutVendor), displayName(name)].map(nameTextOf);
  return [...new Set(names)].filter((text) => isUsable(text) && !isCommon(text));
}

/** Allows common words: the reader chose them. */
function aliasOf(alias: string): string | null {
  const text = nameTextOf(alias);
  return isUsable(text) ? text : null;
}

/** Prefers a model that is no alias, then one without a variant, then the shorter id. */
function isCloser(id: string, other: string): boolean {
  if (isAliasId(id) !== isAliasId(other)) return isAliasId(other);
  if (id.includes(':') !== other.includes(':')) return other.includes(':');
  if (id.length !== other.length) return id.length < other.length;
  return id < other;
}

function withoutVariant(id: string): string {
  return id.replace(/:[^:/]*$/, '');
}

/** Shortens `Vendor: Name (free)` to `Name`. */
function displayName(name: string): string {
  return name.replace(/^[^:：]*(?::\s+|：)/, '').replace(/(?:\s*[(（][^()（）]*[)）])+\s*$/, '');
}

function isUsable(text: string): boolean {
  return text !== '' && text.split(SEPARATORS).length <= MAX_TOKENS;
}

function isCommon(text: string): boolean {
  const words = text.split(/[ \n:]/);
  const letters = text.replaceAll(SEPARATORS, '');
  if (letters.length < (isIdeograph(text) ? 2 : MIN_NAME)) return true;
  if (COMMON_CHINESE.has(letters) || words.every((word) => NUMBER.test(word))) return true;
  if (words.length === 1 && letters.length < MIN_WORD && !/\p{N}/u.test(letters)) return true;
  // Three common words in a row do make a name: `text-embedding-3-large`.
  return words.length <= 2 && words.every((word) => COMMON.has(word) || NUMBER.test(word));
}

/**
 * Folded text (NFKC, case) has tokens with a separator between two for how they are connected: `GPT-4o`, `gpt 4o` and
 * `GPT4o` are `gpt 4o`, `opus-4-5` is `opus 4.5`. A token is one ideograph, or letters, or digits with the letters that follow
 * (`4o`). The search index has no versions, and finds `4` in `4.5`.
 */

const SEPARATORS = /[ .:\n]/g;
const JOINED = ' ';
/** Between a number and its next part (`4.5`), and before a plus that belongs to a name (`R+`). */
const CONTINUED = '.';
/** Before the variant of an id (`gpt-4o:free`). */
const VARIANT = ':';
/** No name spans a comma, a bracket or the end of a sentence. */
const BROKEN = '\n';

interface Token {
  text: string;
  before: string;
  /** True inside a word or number: no name begins with it or ends before it. */
  isInside: boolean;
}

const BREAK = 1;
const SPACE = 2;
/** STOP and COLON separate, unless a word follows directly: as in `4.5`, not at the end of a sentence. */
const STOP = 3;
const COLON = 4;
const DASH = 5;
const PLUS = 6;
const INVISIBLE = 7;
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
/** NFKC turns these into letters of the name before them. */
const TRADE_MARKS = /[\u2120\u2122]/g;

/** By UTF-16 unit; 0 if unknown so far. */
const kinds = new Uint8Array(0x10000);

function tokenize(text: string): Token[] {
  const folded = text.replace(TRADE_MARKS, ' ').normalize('NFKC').toLowerCase();
  const tokens: Token[] = [];
  let token: Token = { text: '', before: '', isInside: false };
  const begin = (before: string, isInside: boolean): void => void tokens.push((token = { text: '', before, isInside }));
  // The kind that the last token ends with, and the sign since then; 0 for none.
  let last = 0;
  let gap = 0;
  for (let at = 0; at < folded.length; at++) {
    const kind = kindAt(folded, at);
    if (kind >= LETTER) {
      if (gap !== 0 || !isOneToken(last, kind)) {
        const isContinued = isNumberContinued(folded, at, last, gap);
        begin(
          isContinued ? CONTINUED : separatorOf(gap),
          isContinued || (gap === 0 && last === LETTER && kind === DIGIT),
        );
      }
      token.text += folded.charAt(at);
      last = kind;
      gap = 0;
    } else if (kind === PLUS && gap === 0 && last >= LETTER && !isWordAt(folded, at + 1)) {
      begin(CONTINUED, true);
      token.text = '+';
      last = PLUS;
    } else if (kind !== INVISIBLE) {
      gap = widen(gap, kind, isWordAt(folded, at + 1));
    }
  }
  return tokens;
}

export function nameTextOf(text: string): string {
  return tokenize(text)
    .map((token, at) => (at === 0 ? token.text : token.before + token.text))
    .join('');
}

function isOneToken(last: number, kind: number): boolean {
  return kind === LETTER ? last === LETTER || last === DIGIT : kind === DIGIT && last === DIGIT;
}

function separatorOf(gap: number): string {
  if (gap === BREAK) return BROKEN;
  return gap === COLON ? VARIANT : JOINED;
}

function isNumberContinued(folded: string, at: number, last: number, gap: number): boolean {
  if (last !== DIGIT || kindAt(folded, at) !== DIGIT) return false;
  return gap === STOP || (gap === DASH && isNumberAt(folded, at));
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

/** Counts surrogates as signs: names don't use those planes. */
function learn(unit: number): number {
  const char = String.fromCharCode(unit);
  const sign = SIGNS.find(([signs]) => signs.test(char))?.[1];
  return (kinds[unit] = sign ?? kindOfWord(char));
}

function kindOfWord(char: string): number {
  if (isIdeograph(char)) return CHARACTER;
  return WORD.test(char) ? LETTER : BREAK;
}
