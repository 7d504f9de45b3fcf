import { m } from '../../../src-main/common/i18n/messages.ts';

type Part = string | false | null | undefined;

/** Joins the sentences of a row's name for screen readers, without empty ones. */
export function spokenName(sentences: readonly Part[]): string {
  return sentences.filter(isText).map(withoutStop).join(m.list_name_stop());
}

export function spokenFacts(facts: readonly Part[]): string {
  return facts.filter(isText).join(m.list_name_comma());
}

export function isText(part: Part): part is string {
  return typeof part === 'string' && part !== '';
}

/** Removes a full stop at the end of a title, so that it gets no second one. */
export function withoutStop(text: string): string {
  return text.replace(/[.。]+$/u, '');
}
