import type { ExportFrame, ExportPart } from '../contract/model/export.ts';

export interface ExportSource {
  frame(updatedAt: string | null): Promise<ExportFrame>;
  part(cursor: string | null, limit: number): Promise<ExportPart>;
  limit?: number;
}

export interface ExportTotals {
  /** Replaces the first text: now the latest change is known. */
  head: string;
  count: number;
  left: number;
}

const PART_SIZE = 200;

/** Yields a file piece by piece, so that a long one is never whole in memory. Errors: those of the reads. */
export async function* exportedFile(
  source: ExportSource,
  onPart: (count: number) => void = () => undefined,
): AsyncGenerator<string, ExportTotals> {
  const { head, separator, tail } = await source.frame(null);
  yield head;
  const limit = source.limit ?? Infinity;
  const totals = { count: 0, left: 0 };
  let updatedAt: string | null = null;
  let cursor: string | null = null;
  do {
    const part: ExportPart = await source.part(cursor, Math.min(PART_SIZE, limit - totals.count));
    if (part.text !== '') yield totals.count === 0 ? part.text : separator + part.text;
    totals.count += part.count;
    totals.left += part.left;
    if (part.updatedAt !== null && (updatedAt === null || part.updatedAt > updatedAt)) updatedAt = part.updatedAt;
    cursor = part.next;
    onPart(totals.count);
  } while (cursor !== null && totals.count < limit);
  yield tail;
  return { ...totals, head: updatedAt === null ? head : (await source.frame(updatedAt)).head };
}
