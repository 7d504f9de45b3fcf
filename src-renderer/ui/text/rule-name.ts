import { categoryName } from '../../../src-main/common/i18n/labels.ts';
import { parseQuery } from '../../../src-main/common/query.ts';

/** Names what a rule is about as a reader would: a source or category by its name, anything else by its query. */
export function ruleName(query: string): string {
  const [[term, ...terms] = [], ...alternatives] = parseQuery(query).alternatives;
  if (!term || term.negated || terms.length + alternatives.length > 0) return query;
  return term.kind === 'source' ? term.text : term.kind === 'category' ? categoryName(term.category) : query;
}
