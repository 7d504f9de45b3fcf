import { parseQuery } from '../../../common/query/parse-query.ts';
import { QUERY_OPERATORS, QUERY_PARTS, QUERY_STATES } from '../../../common/query/query.ts';
import type { QueryProblem, QueryProblemCode } from '../../../contract/model/search.ts';
import type { Shell } from '../../shell.ts';
import { line, yellow } from '../../styled-text.ts';

const MEANT: Readonly<Record<QueryProblemCode, string>> = {
  unknown_operator: `there is no such operator (${QUERY_OPERATORS.map((name) => `${name}:`).join(' ')}), so it is searched as words`,
  unknown_value: `no such value (is:${QUERY_STATES.join('|')}, has:${QUERY_PARTS.join('|')}), so it is searched as words`,
  invalid_date: 'not a date such as 2026-11-20, 2026-11 or 2026, so it is searched as words',
  invalid_score: 'not a score such as >80, >=80, <80 or 80, so it is searched as words',
  missing_value: 'nothing follows the colon',
  only_excludes: 'it only leaves words out, which finds nothing: add a word that must be there',
  too_long: 'the query is too long: the rest from here on is ignored',
};

/** Says on stderr what in a query was not understood or finds nothing: it is searched all the same. */
export async function sayProblems(shell: Shell, problems: readonly QueryProblem[]): Promise<void> {
  for (const { code, text } of problems) await shell.err.line(line`${yellow(text)}: ${MEANT[code]}.`);
}

export async function sayProblemsOf(shell: Shell, query: string | undefined): Promise<void> {
  if (query !== undefined) await sayProblems(shell, parseQuery(query).problems);
}
