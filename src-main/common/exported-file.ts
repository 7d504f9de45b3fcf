import type { ExportFrame, ExportPart } from '../contract/model/export.ts';

/** How the parts and the frame of a file are read. */
export interface ExportSource {
  frame(updatedAt: string | null): Promise<ExportFrame>;
  part(cursor: string | null, limit: number): Promise<ExportPart>;
  /** The most entries; left out for all. */
  limit?: number;
}

/** An exported file after its last part. */
export interface ExportTotals {
  /** To be put in the place of the first text, which did not know the time of the latest change. */
  head: string;
  count: number;
  left: number;
}

/** The most entries of a part: enough to be fast, few enough to be read in a moment. */
const PART_SIZE = 200;

/**
 * The texts of a file, one after another, so that a long one is never whole in memory; `onPart` says how many entries there
 * are so far. Errors: those of the reads.
 */
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
