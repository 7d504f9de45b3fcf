import {
  categoryName,
  filtersWindows,
  messageFor,
  queryParts,
  queryStates,
} from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { parseQuery, type Comparison, type QueryTerm } from '../../../src-main/common/query.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { mediumDay, noonOf, relativeTime } from '../../../src-main/common/time-text.ts';
import { HOUR } from '../../../src-main/common/time.ts';
import { language } from '../language.svelte.ts';

const SIGNS: Readonly<Partial<Record<Comparison, string>>> = { '>=': '≥', '<=': '≤' };

/** Names a part of a query as a reader would: "Source: Qwen Blog", "Last 7 days". Words are as they were typed. */
export function termName(term: QueryTerm, query: string): string {
  if (!term.negated) return nameOf(term, query.slice(term.from, term.to));
  const what = term.kind === 'source' ? sourceOf(term) : nameOf(term, query.slice(term.from + 1, term.to));
  return m.search_part_not({ what });
}

/** Names a query by all its parts; one that has none is itself. */
export function queryName(query: string): string {
  const names = parseQuery(query).alternatives.map((terms) =>
    terms
      .map((term, at) => {
        const inSentence = term.kind === 'words' && terms[at - 1]?.kind === 'words';
        return (at === 0 ? '' : inSentence ? ' ' : m.list_name_comma()) + termName(term, query);
      })
      .join(''),
  );
  return names.join(` ${m.search_or()} `) || query;
}

/** Names what a rule is about: a single source or category by its name alone. */
export function ruleName(query: string): string {
  const [[term, ...terms] = [], ...alternatives] = parseQuery(query).alternatives;
  const isAlone = term && !term.negated && terms.length + alternatives.length === 0;
  return isAlone && term.kind === 'source' ? sourceOf(term) : queryName(query);
}

function nameOf(term: QueryTerm, typed: string): string {
  switch (term.kind) {
    case 'words':
      return typed;
    case 'source':
      return m.filters_source_of({ source: sourceOf(term) });
    case 'category':
      return categoryName(term.category);
    case 'is':
      return queryStates[term.state]();
    case 'has':
      return queryParts[term.part]();
    case 'score':
      return m.search_part_score({ score: `${SIGNS[term.comparison] ?? term.comparison} ${String(term.score)}` });
    case 'before':
    case 'after':
      return timeName(term);
  }
}

function sourceOf({ text }: { text: string }): string {
  return sourceLabel(text) || text;
}

function timeName(term: Extract<QueryTerm, { kind: 'before' | 'after' }>): string {
  const since = term.kind === 'after';
  const hours = 'ago' in term ? term.ago / HOUR : 0;
  const window = hours === 24 ? '24h' : `${String(hours / 24)}d`;
  const windowName = since ? messageFor(filtersWindows, window) : null;
  if (windowName !== null) return windowName;
  const locale = language.dateLocale;
  const when = 'ago' in term ? relativeTime(0, term.ago, locale) : mediumDay(noonOf(term.day), locale);
  return (since ? m.search_part_since : m.search_part_before)({ when });
}
