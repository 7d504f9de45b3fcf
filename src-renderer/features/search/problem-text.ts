import { m } from '../../../src-main/common/i18n/messages.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import type { QueryProblem, QueryProblemCode } from '../../../src-main/contract/model/search.ts';

const TEXTS: Readonly<Record<QueryProblemCode, (inputs: { text: string }) => string>> = {
  unknown_operator: m.search_problems_unknown_operator,
  unknown_value: m.search_problems_unknown_value,
  invalid_date: m.search_problems_invalid_date,
  invalid_score: m.search_problems_invalid_score,
  missing_value: m.search_problems_missing_value,
  only_excludes: m.search_problems_only_excludes,
  too_long: m.search_problems_too_long,
};

/** Explains a problem with a part of a query, in the reader's language. */
export function problemText({ code, text }: Pick<QueryProblem, 'code' | 'text'>): string {
  return TEXTS[code]({ text: oneLine(text, 60) });
}
