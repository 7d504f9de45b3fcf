import { countOf } from '../../common/numbers.ts';
import {
  FREQUENCY_DAYS,
  SOURCE_SORTS,
  type SourceLine,
  type SourcePage,
  type SourceSort,
} from '../../contract/model/source.ts';
import { choice, command, listCommand, option, text, withDefault } from '../command.ts';
import { bold, dim, line, lines, type Text, localTime } from '../terminal-text.ts';
import { limitOption } from './list-options.ts';

/** The limit of one call. */
const PAGE = 500;

export const SOURCE_COMMANDS = {
  sources: listCommand({
    about: 'list who published the saved items',
    needs: 'reads',
    options: {
      sort: withDefault<SourceSort>(option('by', choice('what to begin with', SOURCE_SORTS)), 'unread'),
      limit: limitOption('maximum number (default: all)'),
    },
    async *run({ sort, limit: most = Infinity }, { call }) {
      for (let read = 0; read < most;) {
        const limit = Math.min(PAGE, most - read);
        const { sources } = await call('sources.list', { sort, offset: read, limit });
        yield* sources;
        read += sources.length;
        if (sources.length < limit) return;
      }
    },
    text: lineText,
    empty: 'No items saved yet: run `broadsheet sync`.',
  }),
  'show source': command({
    needs: 'reads',
    args: { id: text('', 2000) },
    run: ({ id: name }, { call }) => call('sources.get', { name }),
    text: pageText,
  }),
};

function lineText(source: SourceLine): Text {
  return line`${bold(source.name)} (${factsOf(source).join(', ')})`;
}

function factsOf({ items, unread, selected, recent, stories, first }: SourceLine): string[] {
  return [
    countOf(items, 'item'),
    `${unread} unread`,
    `${aWeek(recent)} a week`,
    `${Math.round((100 * selected) / items)} % picks`,
    ...(stories === 0 ? [] : [`first in ${first} of ${storiesText(stories)}`]),
  ];
}

function storiesText(count: number): string {
  return count === 1 ? '1 story' : `${count} stories`;
}

function aWeek(recent: number): string {
  return ((recent * 7) / FREQUENCY_DAYS).toFixed(1);
}

function pageText(source: SourcePage): Text {
  const fact = (name: string, value: string): Text => line`${dim(name.padEnd(12))} ${value}`;
  const facts = [
    fact('Names', source.names.join(' · ')),
    fact('Items', `${source.items}, ${source.unread} unread`),
    fact('Often', `${aWeek(source.recent)} a week in the last ${FREQUENCY_DAYS} days`),
    fact('Picks', `${source.selected} (${Math.round((100 * source.selected) / source.items)} %)`),
    ...(source.stories === 0 ? [] : [fact('First', `in ${source.first} of ${storiesText(source.stories)}`)]),
    fact('Newest', localTime(source.newestAt)),
  ];
  const weeks = source.weeks.map(({ from, items }) => `  ${localTime(from)} ${items}`);
  return lines([bold(source.name), ...facts, '', bold('Items in the seven days from'), ...weeks]);
}
