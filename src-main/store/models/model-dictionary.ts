import { createHash } from 'node:crypto';
import { isAliasId } from '../../common/model-line.ts';
import { isIdeograph } from '../search/search-text.ts';
import type { Alias } from './model-statuses.ts';
import { INSIDE, nameTextOf, NameText, SEPARATORS, slotOf, SLOTS } from './name-text.ts';

export interface NamedModel {
  id: string;
  /** As received, sometimes with the vendor before a colon. */
  name: string;
}

/** In tokens. No text has a longer name. */
const MAX_TOKENS = 24;
/** Shorter words are everyday words or parts of too many names. */
const MIN_WORD = 5;
/** In letters and digits: `R1` and `V3` are names of many things. */
const MIN_NAME = 3;

/** Words that don't identify a model alone, in pairs or with a number. */
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

/** Increment it with every change of the matching rules: all items are then matched again. */
const RULES = 2;
/** In UTF-16 units. News are not that long, and names further on are not worth the time. */
const MAX_TEXT = 20_000;
/** A text with more models is a list of models, not news about each. */
const MAX_MODELS = 32;

/** Finds models that a text names (docs/decisions/016) in one pass that stops only at tokens that begin a name. */
export class ModelDictionary {
  readonly hash: string;
  /** All names with the model that each means, and all beginnings of names with null. */
  readonly #names = new Map<string, string | null>();
  readonly #openings = new Uint8Array(SLOTS);
  readonly #text = new NameText();

  constructor(models: readonly NamedModel[], aliases: readonly Alias[]) {
    const meanings = meaningsOf(models, aliases);
    for (const [name, model] of meanings) this.#add(name, model);
    this.hash = hashOf(meanings);
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  modelsIn(texts: readonly (string | null)[]): string[] {
    const found = new Set<string>();
    for (const text of texts) if (text !== null) this.#search(text, found);
    return [...found];
  }

  #add(name: string, model: string): void {
    const ends = Array.from(name.matchAll(SEPARATORS), ({ index }) => index);
    for (const end of ends) {
      const beginning = name.slice(0, end);
      if (!this.#names.has(beginning)) this.#names.set(beginning, null);
    }
    this.#names.set(name, model);
    this.#openings[slotOf(name.slice(0, ends[0]))] = 1;
  }

  #search(text: string, found: Set<string>): void {
    const tokens = this.#text;
    tokens.read(text.slice(0, MAX_TEXT));
    for (let at = 0; at < tokens.count && found.size < MAX_MODELS; at++) {
      const slot = tokens.slots[at] ?? INSIDE;
      if (slot !== INSIDE && this.#openings[slot] === 1) at = this.#longest(at, found);
    }
  }

  /** Finds the longest name that begins at this token and returns its last token; `at` if there is none. */
  #longest(at: number, found: Set<string>): number {
    const { text, starts, slots, count } = this.#text;
    const start = starts[at];
    let named: string | null = null;
    let last = at;
    for (let next = at + 1; next <= count && next <= at + MAX_TOKENS; next++) {
      const end = next < count ? (starts[next] ?? 0) - 1 : text.length;
      const model = this.#names.get(text.slice(start, end));
      if (model === undefined) break;
      if (model === null || (next < count && slots[next] === INSIDE)) continue;
      named = model;
      last = next - 1;
    }
    if (named !== null) found.add(named);
    return last;
  }
}

/** Returns the model of each name (in the form of `nameTextOf`): the one that the reader chose, else the closest match. */
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

/** Returns the id, the id without vendor and variant, and the bare display name, unless too common. */
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

/** Prefers, of two models with the same name, the one that is no alias, then the one without a variant or with the shorter id. */
function isCloser(id: string, other: string): boolean {
  if (isAliasId(id) !== isAliasId(other)) return isAliasId(other);
  if (id.includes(':') !== other.includes(':')) return other.includes(':');
  if (id.length !== other.length) return id.length < other.length;
  return id < other;
}

function withoutVariant(id: string): string {
  return id.replace(/:[^:/]*$/, '');
}

/** Returns the `Name` in `Vendor: Name (free)`. */
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
