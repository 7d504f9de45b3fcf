import { m } from '../../../src-main/common/i18n/messages.ts';
import { formatCount } from '../../../src-main/common/numbers.ts';
import type { Workload } from '../../../src-main/contract/model/model.ts';

export const WORKLOAD_FIGURES = ['requestsAMonth', 'tokensIn', 'tokensCached', 'tokensOut'] as const;
export type WorkloadFigure = (typeof WORKLOAD_FIGURES)[number];

export const workloadLabels = {
  requestsAMonth: m.workload_requests,
  tokensIn: m.workload_tokens_in,
  tokensCached: m.workload_tokens_cached,
  tokensOut: m.workload_tokens_out,
};

const LARGEST = 1_000_000_000;

export type WorkloadDraft = Record<'name' | WorkloadFigure, string>;

export type DraftFault = 'nameless' | 'notWhole' | 'cachedTooMany';

/** An example to start with: a question about a long text, some thousand times a month. */
export const FIRST_DRAFT: WorkloadDraft = {
  name: '',
  tokensIn: '3,000',
  tokensCached: '0',
  tokensOut: '500',
  requestsAMonth: '10,000',
};

export function draftOf(workload: Workload, locale: string): WorkloadDraft {
  const figures = WORKLOAD_FIGURES.map((figure) => [figure, formatCount(locale, workload[figure])] as const);
  return { ...FIRST_DRAFT, ...Object.fromEntries(figures), name: workload.name };
}

/** Reads a whole number from 0 to a billion, with or without thousands separators; null for anything else. */
export function figureOf(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)[,\s\u00a0\u202f](?=\d{3}(?!\d)|\d{3}[,\s\u00a0\u202f])/g, '');
  const figure = /^\d{1,10}$/.test(digits) ? Number(digits) : NaN;
  return figure <= LARGEST ? figure : null;
}

/** Reads a draft: returns the workload, or the first field that is wrong. */
export function readDraft(
  draft: WorkloadDraft,
  id: number | undefined,
): { workload: Workload } | { field: keyof WorkloadDraft; fault: DraftFault } {
  const name = draft.name.trim();
  if (name === '') return { field: 'name', fault: 'nameless' };
  const figures: Record<WorkloadFigure, number> = { tokensIn: 0, tokensCached: 0, tokensOut: 0, requestsAMonth: 0 };
  for (const field of WORKLOAD_FIGURES) {
    const figure = figureOf(draft[field]);
    if (figure === null) return { field, fault: 'notWhole' };
    figures[field] = figure;
  }
  if (figures.tokensCached > figures.tokensIn) return { field: 'tokensCached', fault: 'cachedTooMany' };
  return { workload: { ...(id !== undefined && { id }), name, ...figures } };
}
