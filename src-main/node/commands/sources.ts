import { counted } from '../../common/numbers.ts';
import { FREQUENCY_DAYS, type SourceLine, type SourcePage, type SourceSort } from '../../contract/model/source.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { bold, line, lines, type Text } from '../styled-text.ts';
import { localTime } from '../terminal.ts';
import { factLines, writeList, writeOne } from './reading.ts';

interface Options {
  sort: SourceSort;
  limit?: number;
}

/** The most that one call returns. */
const PAGE = 500;

/** Prints who published the saved items. */
export function listSources(invocation: Invocation, { sort, limit = Infinity }: Options): Promise<ExitCode> {
  return writeList(invocation, {
    read: (wire) => allOf(wire, sort, limit),
    format: lineText,
    empty: 'No items saved yet: run `broadsheet sync`.',
  });
}

/** Prints one source, by any of its names. Errors: `not_found`. */
export function showSource(invocation: Invocation, name: string): Promise<ExitCode> {
  return writeOne(invocation, { read: (wire) => call(wire, 'sources.get', { name }), format: pageText });
}

async function allOf(wire: Wire, sort: SourceSort, most: number): Promise<SourceLine[]> {
  const found: SourceLine[] = [];
  for (;;) {
    const limit = Math.min(PAGE, most - found.length);
    const { sources, count } = await call(wire, 'sources.list', { sort, offset: found.length, limit });
    found.push(...sources);
    if (sources.length === 0 || found.length >= Math.min(count, most)) return found;
  }
}

function lineText(source: SourceLine): Text {
  return line`${bold(source.name)} (${factsOf(source).join(', ')})`;
}

function factsOf({ items, unread, selected, recent, stories, first }: SourceLine): string[] {
  return [
    counted(items, 'item'),
    `${unread} unread`,
    `${aWeek(recent)} a week`,
    `${Math.round((100 * selected) / items)} % selected`,
    ...(stories === 0 ? [] : [`first in ${first} of ${storiesText(stories)}`]),
  ];
}

function storiesText(count: number): string {
  return count === 1 ? '1 story' : `${count} stories`;
}

/** With one decimal. */
function aWeek(recent: number): string {
  return ((recent * 7) / FREQUENCY_DAYS).toFixed(1);
}

function pageText(source: SourcePage): Text {
  const facts = factLines([
    ['Names', source.names.join(' · ')],
    ['Items', `${source.items}, ${source.unread} unread`],
    ['Often', `${aWeek(source.recent)} a week in the last ${FREQUENCY_DAYS} days`],
    ['Selected', `${source.selected} (${Math.round((100 * source.selected) / source.items)} %)`],
    ['First', source.stories === 0 ? null : `in ${source.first} of ${storiesText(source.stories)}`],
    ['Newest', localTime(source.newestAt)],
  ]);
  const weeks = source.weeks.map(({ from, items }) => `  ${localTime(from)} ${items}`);
  return lines([bold(source.name), ...facts, '', bold('Items in the seven days from'), ...weeks]);
}
