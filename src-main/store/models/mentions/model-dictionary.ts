import { createHash } from 'node:crypto';
import type { Alias } from '../model-statuses.ts';
import { aliasOf, isCloser, LONGEST_NAME, namesOf, type NamedModel } from './model-names.ts';
import { INSIDE, NameText, SEPARATORS, slotOf, SLOTS } from './name-text.ts';

/** Increment it with every change of the matching rules: all items are then matched again. */
const RULES = 2;
/** In UTF-16 units. News are not that long, and names further on are not worth the time. */
const LONGEST_TEXT = 20_000;
/** A text with more models is a list of models, not news about each. */
const MAX_MODELS = 32;

/**
 * Finds the models that a text seems to name (docs/decisions/016). It reads a text once, token by token, and stops only
 * at tokens that begin a name, so neither the number of models nor of names slows it down.
 */
export class ModelDictionary {
  /** Equal for dictionaries that find the same in every text. */
  readonly hash: string;
  /** All names with the model that each means, and all beginnings of names with null. */
  readonly #names = new Map<string, string | null>();
  /** 1 in the slots of tokens that begin a name. */
  readonly #openings = new Uint8Array(SLOTS);
  readonly #text = new NameText();

  constructor(models: readonly NamedModel[], aliases: readonly Alias[]) {
    const meanings = meaningsOf(models, aliases);
    for (const [name, model] of meanings) this.#add(name, model);
    this.hash = hashOf(meanings);
  }

  /** Whether it holds no names. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** The ids of the models named in the texts of one item, in order of appearance. */
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
    tokens.read(text.slice(0, LONGEST_TEXT));
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
    for (let next = at + 1; next <= count && next <= at + LONGEST_NAME; next++) {
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

/**
 * The model of each name, with names as written by `nameTextOf`: the one that the reader chose, else the closest match.
 */
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
