import {
  categoryName,
  messageFor,
  reportKinds,
  reportName,
  searchKinds,
  searchOperators,
} from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { nameWithoutVendor } from '../../../src-main/common/model-line.ts';
import { parseQuery } from '../../../src-main/common/query.ts';
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
import { termName } from '../../ui/text/query-name.ts';
import { spokenFacts, spokenName } from '../../ui/text/spoken-name.ts';
import { MOST_HITS, moreHits } from './search.svelte.ts';

export type SearchRow = { readonly id: string } & (
  | { type: 'hit'; hit: SearchHit }
  /** More results of a kind, here. */
  | { type: 'more'; kind: SearchKind; name: string }
  | { type: 'suggestion'; suggestion: SearchSuggestion }
  | { type: 'recent'; name: string }
  | { type: 'clear'; name: string }
  | { type: 'online'; name: string }
);

/** Stands above the rows of a group. */
export interface SearchHeading {
  readonly type: 'heading';
  readonly id: string;
  readonly title: string;
  /** The number of results in words; missing if the rows are all there is. */
  readonly count?: string;
}

interface Time {
  now: number;
  locale: string;
}

/** Few, because results matter more. */
const MOST_SUGGESTIONS = 4;
const LONGEST_TITLE = 240;

interface Shown {
  text: string;
  groups: readonly SearchGroup[];
  suggestions: readonly SearchSuggestion[];
  recent: readonly string[];
  /** True if the suggestions complete what is being typed. */
  isCompleting: boolean;
}

export function searchRows({ text, groups, suggestions, recent, isCompleting }: Shown): (SearchRow | SearchHeading)[] {
  const wanted = text.trim();
  const online: (SearchRow | SearchHeading)[] = [
    { type: 'heading', id: 'of-online', title: m.online_search_title() },
    {
      type: 'online',
      id: 'online',
      name: wanted === '' ? m.online_search_open() : m.search_online_for({ text: wanted }),
    },
  ];
  const suggested = suggestions.length > 0 ? suggestionRows(suggestions, isCompleting) : [];
  // Conditions are offered for a text only where it finds nothing: there the service may help more.
  if (wanted !== '' && suggested.length > 0 && !isCompleting) return [...online, ...suggested];
  return [
    ...(wanted === '' && recent.length > 0 ? recentRows(recent) : []),
    ...suggested,
    ...groups.flatMap(hitRows),
    ...online,
  ];
}

function hitRows(group: SearchGroup): (SearchRow | SearchHeading)[] {
  const { kind, hits } = group;
  return [
    {
      type: 'heading',
      id: `of-${kind}`,
      title: searchKinds[kind](),
      count: countText(group),
    },
    ...hits.map((hit, at): SearchRow => ({ type: 'hit', hit, id: `${kind}-${at}` })),
    ...moreRow(group),
  ];
}

const countText = ({ atLeast, count }: SearchGroup): string =>
  (atLeast ? m.search_count_more : m.search_count)({ count });

/** Returns the row that adds results. It has the position of the first one it adds, which is the active row then. */
function moreRow(group: SearchGroup): SearchRow[] {
  const { kind, count, hits } = group;
  if (hits.length >= Math.min(count, MOST_HITS)) return [];
  const isAll = moreHits(hits.length) >= count;
  const shown = m.search_count({ count: hits.length });
  const name = isAll ? m.search_more_all({ count }) : m.search_more({ shown, count: countText(group) });
  return [{ type: 'more', kind, id: `${kind}-${hits.length}`, name }];
}

function suggestionRows(
  suggestions: readonly SearchSuggestion[],
  isCompleting: boolean,
): (SearchRow | SearchHeading)[] {
  const shown = isCompleting ? suggestions.slice(0, MOST_SUGGESTIONS) : suggestions;
  return [
    { type: 'heading', id: 'of-suggestions', title: isCompleting ? m.search_suggestions() : m.search_operators() },
    ...shown.map((suggestion, at): SearchRow => ({ type: 'suggestion', suggestion, id: `suggestion-${at}` })),
  ];
}

function recentRows(recent: readonly string[]): (SearchRow | SearchHeading)[] {
  return [
    { type: 'heading', id: 'of-recent', title: m.search_recent() },
    ...recent.map((name, at): SearchRow => ({ type: 'recent', name, id: `recent-${at}` })),
    { type: 'clear', id: 'clear-recent', name: m.search_recent_clear() },
  ];
}

export function rowName(row: SearchRow, time: Time): string {
  if (row.type === 'hit') return hitName(row.hit, time);
  if (row.type !== 'suggestion') return row.name;
  const { suggestion } = row;
  return [m.search_suggestion({ text: suggestion.insert.trim() }), suggestionName(suggestion)].join(
    m.list_name_comma(),
  );
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

/** Names where a result comes from: its source or how many, the vendor of a model, or the days of a report. */
export function originOf({ report, source, sourceCount }: SearchHit, locale: string): string {
  if (report) return `${reportKinds[report.kind]()} · ${reportName(report.kind, report.label, locale, 'long')}`;
  return sourceCount === null ? sourceLabel(source, 60) : m.sources_count({ count: sourceCount });
}

export function timeOf({ at, report }: SearchHit): string | null {
  return report ? null : at;
}

/** Names a part of a query that is complete; an operator by what it asks for. */
export function suggestionName(suggestion: SearchSuggestion): string {
  const { insert, label } = suggestion;
  const [[term] = []] = parseQuery(insert).alternatives;
  return term && term.kind !== 'words' ? termName(term, insert) : (meaningOf(suggestion) ?? label);
}

function meaningOf({ label }: SearchSuggestion): string | null {
  return messageFor(searchOperators, label);
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
