import type { SearchSuggestion } from '../../contract/model/search.ts';
import { QUERY_OPERATORS, QUERY_PARTS, QUERY_STATES } from './query.ts';

/** The word before a place, with what a minus before it leaves. */
const BEGUN = /(?:^|[\s"“”„‟«»「」『』＂])[-－−]?([^\s"“”„‟«»「」『』＂]*)$/u;

/** Operators, and the values of those with few, that complete what was typed before place `at`. */
export function suggestionsAt(text: string, at: number): SearchSuggestion[] {
  const begun = (BEGUN.exec(text.slice(0, at))?.[1] ?? '').toLowerCase().replace('：', ':');
  const options = [
    ...QUERY_OPERATORS.map((operator) => `${operator}:`),
    ...QUERY_STATES.map((state) => `is:${state}`),
    ...QUERY_PARTS.map((part) => `has:${part}`),
  ];
  const isValue = begun.includes(':');
  return options
    .filter(
      (option) => option.startsWith(begun) && option !== begun && option.indexOf(':') < option.length - 1 === isValue,
    )
    .map((option) => ({ insert: isValue ? `${option} ` : option, from: at - begun.length, to: at, label: option }));
}
