import type { Argument } from 'commander';

/** Words for an argument, or, by the argument before it, for each of that one's words. */
export type Suggestions = readonly string[] | Readonly<Record<string, readonly string[]>>;

const SUGGESTED = new WeakMap<Argument, Suggestions>();

/** Gives an argument words that completions offer, where it takes others, too. */
export function suggesting(argument: Argument, words: Suggestions): Argument {
  SUGGESTED.set(argument, words);
  return argument;
}

export function suggestionsFor(argument: Argument): Suggestions {
  return SUGGESTED.get(argument) ?? argument.argChoices ?? [];
}
