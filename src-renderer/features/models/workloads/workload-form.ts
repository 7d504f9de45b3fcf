import type { Workload } from '../../../../src-main/contract/model/model.ts';

export const WORKLOAD_FIGURES = ['tokensIn', 'tokensCached', 'tokensOut', 'requestsAMonth'] as const;
export type WorkloadFigure = (typeof WORKLOAD_FIGURES)[number];

const LARGEST = 1_000_000_000;

/** A workload as it is typed. */
export type WorkloadDraft = Record<'name' | WorkloadFigure, string>;

export type DraftFault = 'nameless' | 'notWhole' | 'cachedTooMany';

/** A question to a model with a long text, a few thousand times a month: figures to begin with. */
export const FIRST_DRAFT: WorkloadDraft = {
  name: '',
  tokensIn: '3000',
  tokensCached: '0',
  tokensOut: '500',
  requestsAMonth: '10000',
};

export function draftOf(workload: Workload): WorkloadDraft {
  const { name, tokensIn, tokensOut, tokensCached, requestsAMonth } = workload;
  return {
    name,
    tokensIn: String(tokensIn),
    tokensOut: String(tokensOut),
    tokensCached: String(tokensCached),
    requestsAMonth: String(requestsAMonth),
  };
}

/** Whole numbers from 0 to a billion, in groups of three or not; null for anything else. */
export function figureOf(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)[,\s\u00a0\u202f](?=\d{3}(?!\d)|\d{3}[,\s\u00a0\u202f])/g, '');
  const figure = /^\d{1,10}$/.test(digits) ? Number(digits) : NaN;
  return figure <= LARGEST ? figure : null;
}

/** What a draft says, or what is wrong with which of its fields. */
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
