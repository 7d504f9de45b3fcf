import { InvalidArgumentError } from 'commander';
import { parseQuery, QUERY_OPERATORS, QUERY_PARTS, QUERY_STATES } from '../../common/query.ts';
import { sourceLabel } from '../../common/source-label.ts';
import {
  SEARCH_KINDS,
  type QueryProblem,
  type QueryProblemCode,
  type SearchGroup,
  type SearchHit,
  type SearchKind,
} from '../../contract/model/search.ts';
import { listCommand, option, parseText, whole, type Io } from '../command.ts';
import { bold, dim, line, lines, yellow, type Text, localTime } from '../terminal-text.ts';
import { printUnknown } from './known-names.ts';
import { sinceMs, sinceOption } from './list-options.ts';

const HELP = `
All words must match; OR separates alternatives, - excludes, quotes keep words together, * stands for the rest of a word.
  source:NAME  category:NAME  is:unread|read|starred|selected|withdrawn|muted  has:story|note
  before:2026-11-20  after:2026-11  after:7d  score:>80
Put -- before a query that begins with -, and quotes around signs of your shell: broadsheet search 'score:>80 "new model"'.`;

export const SEARCH_COMMANDS = {
  search: listCommand({
    about: 'search everything that is saved: items, stories, reports, models and notes',
    needs: 'reads',
    args: {
      query: {
        about: 'what to find',
        several: true,
        // Words of a query need no quotes around all of them.
        parse: (word: string, before: string | undefined): string =>
          parseText(1000)(before === undefined ? word : `${before} ${word}`),
      },
    },
    options: {
      in: option('kinds', { about: `only these, separated by commas (${SEARCH_KINDS.join(', ')})`, parse: parseKinds }),
      since: sinceOption(''),
      limit: option('n', whole('maximum number of each kind (default: 20)', 1, 500)),
    },
    help: HELP,
    async *run({ query: text, in: kinds, limit = 20, since }, { call, hint }): AsyncGenerator<SearchGroup | SearchHit> {
      const from = since === undefined ? {} : { since: Math.max(0, await sinceMs(call, since)) };
      const { groups, problems } = await call('search.find', { text, limit, ...from, ...(kinds && { in: kinds }) });
      await printProblems(hint, problems);
      await printUnknown({ call, hint }, text);
      for (const group of groups) {
        if (group.count > 0) yield group;
        yield* group.hits;
      }
    },
    text: (found) => ('hits' in found ? headingOf(found) : hitText(found)),
    json: (found) => ('hits' in found ? undefined : asJson(found)),
    empty: 'Nothing found.',
  }),
};

function parseKinds(text: string): SearchKind[] {
  const kinds = text.split(',').map((kind) => SEARCH_KINDS.find((one) => one === kind.trim()));
  if (kinds.includes(undefined)) throw new InvalidArgumentError(`It must be of ${SEARCH_KINDS.join(', ')}.`);
  return [...new Set(kinds.filter((kind) => kind !== undefined))];
}

const MEANT: Readonly<Record<QueryProblemCode, string>> = {
  unknown_operator: `there is no such operator (${QUERY_OPERATORS.map((name) => `${name}:`).join(' ')}), so it is searched as words`,
  unknown_value: `no such value (is:${QUERY_STATES.join('|')}, has:${QUERY_PARTS.join('|')}), so it is searched as words`,
  invalid_date: 'not a date such as 2026-11-20, 2026-11 or 2026, so it is searched as words',
  invalid_score: 'not a score such as >80, >=80, <80 or 80, so it is searched as words',
  missing_value: 'nothing follows the colon',
  only_excludes: 'it only leaves words out, which finds nothing: add a word that must be there',
  too_long: 'the query is too long: the rest from here on is ignored',
};

async function printProblems(hint: Io['hint'], problems: readonly QueryProblem[]): Promise<void> {
  for (const { code, text } of problems) await hint(line`${yellow(text)}: ${MEANT[code]}.`);
}

export async function printQueryProblems(io: Pick<Io, 'call' | 'hint'>, query: string | undefined): Promise<void> {
  if (query === undefined) return;
  await printProblems(io.hint, parseQuery(query).problems);
  await printUnknown(io, query);
}

function asJson({ kind, id, title, snippet, at }: SearchHit): object {
  return { kind, id, title, snippet: snippet?.text ?? null, at };
}

function headingOf({ kind, count, atLeast, hits }: SearchGroup): Text {
  const all = `${String(count)}${atLeast ? ' or more' : ''}`;
  return line`${bold(kind)}: ${all}${hits.length < count ? `, the first ${String(hits.length)}` : ''}`;
}

function hitText({ id, title, snippet, at, source }: SearchHit): Text {
  const label = sourceLabel(source);
  const from = label === '' ? '' : ` - ${label}`;
  const head = line`  ${at === null ? '' : line`${dim(localTime(at))} `}${bold(title)}${from} ${dim(`[${id}]`)}`;
  return snippet ? lines([head, line`    ${snippet.text}`]) : head;
}
