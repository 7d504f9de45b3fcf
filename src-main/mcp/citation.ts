import { z } from 'zod';
import type { ItemRow, StoredItem } from '../contract/model/item.ts';
import { lineOf, linkOf, LONGEST, passageOf, sourceOf } from './texts.ts';

/** What is needed to cite something. */
export const citation = {
  title: z.string().nullable(),
  source: z.string().nullable().describe('Who published it'),
  url: z.string().nullable().describe('The original'),
  page: z.string().nullable().describe('Its page at the news service'),
  time: z.string().nullable().describe('RFC 3339'),
};
type Cited = { [Name in keyof typeof citation]: string | null };

/** The lines of a record: its citation, then what is known besides. */
export function citedLines(number: string, cited: Cited, more: readonly (string | null)[] = []): string[] {
  const { title, source, time, url, page } = cited;
  const head = [title ?? '(no title)', source, time].filter((part) => part !== null).join(' — ');
  const rest = [url ?? page, ...more].filter((part) => part !== null);
  return [`${number} ${head}`, ...rest.flatMap((text) => text.split('\n')).map((line) => `   ${line}`.trimEnd())];
}

/** An item in a list. A withdrawn one has its id and the time of its withdrawal, and nothing else. */
export const itemSchema = z.object({
  id: z.string(),
  ...citation,
  summary: z.string().nullable(),
  category: z.string().nullable(),
  score: z.number().nullable().describe('0 to 100, by the news service'),
  withdrawnAt: z.string().nullable().describe('Set if the publisher withdrew it: then there is no content'),
});
export type QuotedItem = z.infer<typeof itemSchema>;

export function quotedItem(item: StoredItem | ItemRow, longest: number = LONGEST.summary): QuotedItem {
  if (item.withdrawnAt !== null) return withdrawnItem(item.id, item.withdrawnAt);
  return {
    id: item.id,
    title: lineOf(item.title),
    source: sourceOf(item.source.name),
    url: linkOf(item.links.original),
    page: linkOf(item.links.aihot),
    time: item.effectiveAt,
    summary: passageOf(item.summary, longest),
    category: lineOf(item.category, LONGEST.name),
    score: item.score,
    withdrawnAt: null,
  };
}

export function withdrawnItem(id: string, withdrawnAt: string): QuotedItem {
  const nothing = { title: null, source: null, url: null, page: null, time: null };
  return { id, ...nothing, summary: null, category: null, score: null, withdrawnAt };
}

export function itemLines(number: string, item: QuotedItem): string[] {
  const id = `id: ${idText(item.id)}`;
  if (item.withdrawnAt !== null) return [`${number} Withdrawn by its publisher — ${item.withdrawnAt}`, `   ${id}`];
  return citedLines(number, item, [id, item.summary]);
}

/** Ids are texts of the service, too. */
export function idText(id: string): string {
  return lineOf(id, 512) ?? '';
}
