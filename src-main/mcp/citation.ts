import { sourceLabel } from '../common/source-label.ts';
import { bareLine, cutText } from '../common/text.ts';
import { safeLink } from '../contract/addresses.ts';
import type { ItemRow, StoredItem } from '../contract/model/item.ts';

/** In characters (lines) or UTF-16 units (passages, links). */
export const MAX_LENGTH = { title: 300, name: 120, summary: 600, passage: 8_000, link: 2_048 } as const;

/** One blank line at most: a text can't push what follows it out of sight. */
const GAPS = /\n{3,}/g;
const BREAKS = /\r\n?|[\n\u0085\u2028\u2029]/;

/** Cleans a title or a name: one line, no control characters or marks that turn text; null if nothing is left. */
export function lineOf(text: string | null | undefined, longest: number = MAX_LENGTH.title): string | null {
  return bareLine(text ?? '', longest) || null;
}

export function passageOf(text: string | null | undefined, longest: number = MAX_LENGTH.passage): string | null {
  const cut = cutText(text ?? '', longest);
  const lines = cut.split(BREAKS).map((line) => bareLine(line, longest));
  return lines.join('\n').replace(GAPS, '\n\n').trim() || null;
}

export function sourceOf(name: string | null | undefined): string | null {
  return lineOf(sourceLabel(name), MAX_LENGTH.name);
}

/** Returns an http or https address as parsed; null for any other and for one that is too long. */
export function linkOf(address: string | null | undefined): string | null {
  const link = (address ?? '').length > MAX_LENGTH.link ? null : safeLink(address);
  return link !== null && link.length <= MAX_LENGTH.link ? link : null;
}

export interface Cited {
  title: string | null;
  source: string | null;
  url: string | null;
  page: string | null;
  time: string | null;
}

interface Citable {
  title: string;
  source: { name: string | null };
  links: { original: string | null; aihot: string | null };
}

export function cite({ title, source, links }: Citable, time: string | null): Cited {
  return {
    title: lineOf(title),
    source: sourceOf(source.name),
    url: linkOf(links.original),
    page: linkOf(links.aihot),
    time: lineOf(time, MAX_LENGTH.name),
  };
}

export function citationLines(number: string, cited: Cited, more: readonly (string | null)[] = []): string[] {
  const { title, source, time, url, page } = cited;
  const head = [title ?? '(no title)', source, time].filter((part) => part !== null).join(' — ');
  const rest = [url ?? page, ...more].filter((part) => part !== null);
  return [`${number} ${head}`, ...rest.flatMap((text) => text.split('\n')).map((line) => `   ${line}`.trimEnd())];
}

/** A withdrawn item has only its id and the time of its withdrawal. */
export interface QuotedItem extends Cited {
  id: string;
  summary: string | null;
  category: string | null;
  score: number | null;
  withdrawnAt: string | null;
}

export function quoteItem(item: StoredItem | ItemRow, longest: number = MAX_LENGTH.summary): QuotedItem {
  if (item.withdrawnAt !== null) return quoteWithdrawal(item.id, item.withdrawnAt);
  return {
    id: item.id,
    ...cite(item, item.effectiveAt),
    summary: passageOf(item.summary, longest),
    category: lineOf(item.category, MAX_LENGTH.name),
    score: item.score,
    withdrawnAt: null,
  };
}

export function quoteWithdrawal(id: string, withdrawnAt: string): QuotedItem {
  const nothing = { title: null, source: null, url: null, page: null, time: null };
  return { id, ...nothing, summary: null, category: null, score: null, withdrawnAt };
}

export function itemLines(
  number: string,
  item: Cited & Pick<QuotedItem, 'id' | 'withdrawnAt'>,
  text: string | null,
): string[] {
  const id = `id: ${idText(item.id)}`;
  if (item.withdrawnAt !== null) return [`${number} Withdrawn by its publisher — ${item.withdrawnAt}`, `   ${id}`];
  return citationLines(number, item, [id, text]);
}

/** Ids are texts of the service, too. */
export function idText(id: string): string {
  return lineOf(id, 512) ?? '';
}
