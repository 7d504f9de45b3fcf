import {
  categoryName,
  reportKinds,
  messageFor,
  reportName,
  searchKinds,
  searchOperators,
} from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { parseQuery } from '../../../src-main/common/query.ts';
import { nameWithoutVendor } from '../../../src-main/common/model-line.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import { instant } from '../../../src-main/common/time.ts';
import { calendarTime } from '../../../src-main/common/time-text.ts';
import type {
  QueryProblem,
  QueryProblemCode,
  SearchGroup,
  SearchHit,
  SearchKind,
  SearchSnippet,
  SearchSuggestion,
} from '../../../src-main/contract/model/search.ts';
import { MOST_HITS, moreHits } from './search.svelte.ts';
import { termName } from '../../ui/text/query-name.ts';
import { spokenFacts, spokenName } from '../../ui/text/spoken-name.ts';
import type { FinderGroup, FinderOption } from '../../ui/controls/finder.ts';

export type SearchOption = FinderOption &
  (
    | { type: 'hit'; hit: SearchHit }
    /** The list of all matches. */
    | { type: 'all' }
    /** More results of a kind, here. */
    | { type: 'more'; kind: SearchKind }
    | { type: 'suggestion'; suggestion: SearchSuggestion }
    | { type: 'recent'; text: string }
    | { type: 'clear' }
    | { type: 'online' }
  );

interface Time {
  now: number;
  locale: string;
}

/** Few, because results matter more. */
const MOST_SUGGESTIONS = 4;
const LONGEST_TITLE = 240;

/** Returns the name of a result, with what matches in it. The name of a model is without its vendor, which is its source. */
export function titleOf(hit: SearchHit, locale: string): Pick<SearchSnippet, 'text' | 'ranges'> {
  const { kind, report } = hit;
  if ((kind === 'reports' || kind === 'notes') && report && hit.title.trim() === '')
    return { text: reportName(report.kind, report.label, locale, 'long'), ranges: [] };
  const title = hit.model ? nameWithoutVendor(hit.title) : hit.title;
  const before = hit.title.length - title.length;
  const ranges = hit.titleRanges.map(([from, to]): [number, number] => [Math.max(0, from - before), to - before]);
  const marked = ranges.filter(([, to]) => to > 0);
  return marked.length > 0
    ? { text: title, ranges: marked }
    : { text: oneLine(title, LONGEST_TITLE) || m.list_untitled(), ranges: [] };
}

/** Names where a result comes from: its source, the vendor of a model, or the days of a report. */
export function originOf({ report, source }: SearchHit, locale: string): string {
  if (report) return `${reportKinds[report.kind]()} · ${reportName(report.kind, report.label, locale, 'long')}`;
  return sourceLabel(source, 60);
}

export function timeOf({ at, report }: SearchHit): string | null {
  return report ? null : at;
}

function hitName(hit: SearchHit, { now, locale }: Time): string {
  const at = instant(timeOf(hit));
  return spokenName([
    hit.unread === true && m.views_unread(),
    titleOf(hit, locale).text,
    spokenFacts([
      originOf(hit, locale),
      hit.category !== null && oneLine(categoryName(hit.category), 30),
      at !== null && calendarTime(at, now, locale, 'list'),
    ]),
  ]);
}

export function hitGroup(group: SearchGroup, time: Time): FinderGroup<SearchOption> {
  const { kind, count, atLeast, hits } = group;
  const options = hits.map((hit, at): SearchOption => ({
    type: 'hit',
    hit,
    id: `${kind}-${at}`,
    name: hitName(hit, time),
    whole: true,
  }));
  const all: SearchOption[] =
    kind === 'items'
      ? [{ type: 'all', id: 'all-items', name: (atLeast ? m.search_all_more : m.search_all)({ count }) }]
      : moreOption(group);
  return {
    key: kind,
    title: searchKinds[kind](),
    count: (atLeast ? m.search_count_more : m.search_count)({ count }),
    options: [...options, ...all],
  };
}

/** Returns the row that adds results. It has the position of the first one it adds, which is the active row then. */
function moreOption({ kind, count, hits }: SearchGroup): SearchOption[] {
  if (hits.length >= Math.min(count, MOST_HITS)) return [];
  const isAll = moreHits(hits.length) >= count;
  const name = isAll ? m.search_more_all({ count }) : m.search_more({ shown: hits.length, count });
  return [{ type: 'more', kind, id: `${kind}-${hits.length}`, name }];
}

export function suggestionGroup(suggestions: readonly SearchSuggestion[], typing: boolean): FinderGroup<SearchOption> {
  const shown = typing ? suggestions.slice(0, MOST_SUGGESTIONS) : suggestions;
  return {
    key: 'suggestions',
    title: typing ? m.search_suggestions() : m.search_operators(),
    options: shown.map((suggestion, at) => ({
      type: 'suggestion',
      suggestion,
      id: `suggestion-${at}`,
      name: [m.search_suggestion({ text: suggestionName(suggestion) }), meaningOf(suggestion)]
        .filter((part) => part !== null)
        .join(m.list_name_comma()),
    })),
  };
}

/** Names a part of a query that is complete; an operator is as it is typed. */
export function suggestionName({ insert, label }: SearchSuggestion): string {
  const [[term] = []] = parseQuery(insert).alternatives;
  return term && term.kind !== 'words' ? termName(term, insert) : label;
}

function meaningOf({ label }: SearchSuggestion): string | null {
  return messageFor(searchOperators, label);
}

/** Explains an operator; shows how anything else is typed. */
export function hintOf(suggestion: SearchSuggestion): string {
  return meaningOf(suggestion) ?? suggestion.insert.trim();
}

export function recentGroup(recent: readonly string[]): FinderGroup<SearchOption> {
  return {
    key: 'recent',
    title: m.search_recent(),
    options: [
      ...recent.map((text, at): SearchOption => ({ type: 'recent', text, id: `recent-${at}`, name: text })),
      { type: 'clear', id: 'clear-recent', name: m.search_recent_clear() },
    ],
  };
}

export function onlineGroup(text: string): FinderGroup<SearchOption> {
  const name = text === '' ? m.online_search_open() : m.search_online_for({ text });
  return { key: 'online', title: m.online_search_title(), options: [{ type: 'online', id: 'online', name }] };
}

const PROBLEMS: Readonly<Record<QueryProblemCode, (inputs: { text: string }) => string>> = {
  unknown_operator: m.search_problems_unknown_operator,
  unknown_value: m.search_problems_unknown_value,
  invalid_date: m.search_problems_invalid_date,
  invalid_score: m.search_problems_invalid_score,
  missing_value: m.search_problems_missing_value,
  only_excludes: m.search_problems_only_excludes,
  too_long: m.search_problems_too_long,
};

export function problemText({ code, text }: Pick<QueryProblem, 'code' | 'text'>): string {
  return PROBLEMS[code]({ text: oneLine(text, 60) });
}
