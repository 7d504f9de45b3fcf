import { createHash } from 'node:crypto';
import type { Alias } from '../model-statuses-table.ts';
import { aliasOf, isCloser, LONGEST_NAME, namesOf, type NamedModel } from './model-names.ts';
import { INSIDE, NameText, SEPARATORS, slotOf, SLOTS } from './name-text.ts';

/** To be raised with every change of what a text is found to name: everything is then matched anew. */
const RULES = 1;
/** In UTF-16 units of a text. No news is that long; a name further on is not worth the time. */
const LONGEST_TEXT = 20_000;
/** A text that names more is a list of models, and no news of each. */
const MOST_MODELS = 32;

/**
 * Finds in a text the models that it seems to name (docs/decisions/031). A text is read once, token by token: only one that
 * a name begins with is looked at, so neither the number of models nor that of their names slows it down.
 */
export class ModelDictionary {
  /** The same for dictionaries that find the same in every text. */
  readonly hash: string;
  /** Every name, and every beginning of one: of the name the model that it means, of a mere beginning null. */
  readonly #names = new Map<string, string | null>();
  /** 1 for the slots of tokens that a name begins with. */
  readonly #openings = new Uint8Array(SLOTS);
  readonly #text = new NameText();

  constructor(models: readonly NamedModel[], aliases: readonly Alias[]) {
    const meanings = meaningsOf(models, aliases);
    for (const [name, model] of meanings) this.#add(name, model);
    this.hash = hashOf(meanings);
  }

  /** Whether there is nothing that it could find. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** The ids of the models that the texts of one item name, in the order of their appearance. */
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
    for (let at = 0; at < tokens.count && found.size < MOST_MODELS; at++) {
      const slot = tokens.slots[at] ?? INSIDE;
      if (slot !== INSIDE && this.#openings[slot] === 1) at = this.#longest(at, found);
    }
  }

  /** Looks for the longest name from this token on, and returns its last token; `at` where there is none. */
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

/** What each name means, as `nameTextOf` writes it: what the reader says it does, else the model that it is closest to. */
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
