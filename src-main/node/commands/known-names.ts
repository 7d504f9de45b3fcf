import { parseQuery } from '../../common/query.ts';
import { sourceKey } from '../../common/source-label.ts';
import { nameKey } from '../../common/text.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { KNOWN_CATEGORIES } from '../../contract/model/item.ts';
import type { Call } from '../../contract/wire.ts';
import type { Io } from '../command.ts';

const MOST_NAMED = 8;
/** The limit of one call. */
const PAGE = 500;
/** The limit of a text that sources are looked up by. */
const LONGEST = 200;

/** Errors: `not_found` for a category or source that nothing saved has. */
export async function assertKnown(call: Call, { category, source }: Filter): Promise<void> {
  const mistake =
    (category === undefined ? null : await unknownCategory(call, category)) ??
    (source === undefined ? null : await unknownSource(call, source, true));
  if (mistake !== null) throw new BroadsheetError('not_found', mistake);
}

interface Filter {
  category: string | undefined;
  source: string | undefined;
}

/** Names the categories and sources of a query that nothing saved has, once each. */
export async function printUnknown({ call, hint }: Pick<Io, 'call' | 'hint'>, query: string): Promise<void> {
  const found = new Set<string>();
  for (const term of parseQuery(query).alternatives.flat()) {
    const mistake =
      term.kind === 'category'
        ? await unknownCategory(call, term.category)
        : term.kind === 'source'
          ? await unknownSource(call, term.text, term.whole)
          : null;
    if (mistake !== null) found.add(mistake);
  }
  for (const mistake of found) await hint(mistake);
}

async function unknownCategory(call: Call, name: string): Promise<string | null> {
  const { categories } = await call('counts.get', {});
  const known = new Set([...KNOWN_CATEGORIES, ...categories.flatMap(({ category }) => category ?? [])]);
  return known.has(name) ? null : mistakeOf('category', name, [...known]);
}

async function unknownSource(call: Call, name: string, whole: boolean): Promise<string | null> {
  const text = name.slice(0, LONGEST);
  const { sources, count } = await call('sources.list', { sort: 'name', text, offset: 0, limit: PAGE });
  const isKnown = whole ? sources.some((one) => sourceKey(one.name) === sourceKey(name)) : count > 0;
  if (isKnown || count > PAGE) return null;
  const known: string[] = [];
  for (let last = PAGE; last === PAGE;) {
    const page = await call('sources.list', { sort: 'name', offset: known.length, limit: PAGE });
    known.push(...page.sources.map((one) => one.name));
    last = page.sources.length;
  }
  return known.length === 0 ? null : mistakeOf('source', name, known);
}

function mistakeOf(what: 'category' | 'source', name: string, known: readonly string[]): string {
  const nearest = nearestTo(name, known).slice(0, MOST_NAMED).join(', ');
  const left = known.length - MOST_NAMED;
  const rest = left > 0 ? ` and ${left} more${what === 'source' ? ': see `broadsheet sources`' : ''}` : '';
  return `There is no ${what} “${name.slice(0, LONGEST)}” here. Known: ${nearest}${rest}.`;
}

function nearestTo(name: string, known: readonly string[]): string[] {
  const wanted = nameKey(name.slice(0, LONGEST));
  const distanceTo = (one: string): number =>
    Math.min(...[nameKey(one), ...nameKey(one).split(' ')].map((part) => distance(wanted, part)));
  const distances = new Map(known.map((one) => [one, distanceTo(one)]));
  return known.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
}

/** How many letters to insert, remove or replace; 0 if it is a part. */
function distance(a: string, b: string): number {
  if (b.includes(a)) return 0;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
