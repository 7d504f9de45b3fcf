import { m } from '../../common/i18n/messages.ts';
import type { InLocale } from '../../common/i18n/locale.ts';
import type { ExportFrame, ExportPart, ItemExportFormat } from '../../contract/model/export.ts';
import type { ItemsPage, ItemsQuery, ItemRow } from '../../contract/model/item.ts';
import { feedTime, later, serviceLabel, stableId, xmlText } from '../export-text/xml-text.ts';
import { categoryIn } from './category.ts';
import { atomFrame, atomText, type FeedHead } from './atom.ts';
import { csvFrame, csvText } from './items-csv.ts';
import { feedEntry } from './feed-entry.ts';
import { jsonFeedFrame, jsonFeedText } from './json-feed.ts';
import { itemsMarkdown, markdownFrame } from './items-markdown.ts';

/** A list that is exported. */
export interface ExportedList {
  query: ItemsQuery;
  /** The name of its saved search, if it has one. */
  saved: string | null;
  /** The name of the news service, as in user.db. */
  service: string;
}

/** A page of a list as a part of a file. Withdrawn items have no texts: only a table names them. */
export function itemsPart(
  { rows, next }: Pick<ItemsPage, 'rows' | 'next'>,
  format: ItemExportFormat,
  { service }: Pick<ExportedList, 'service'>,
  by: InLocale,
): ExportPart {
  const kept = format === 'csv' ? rows : rows.filter((row) => row.withdrawnAt === null);
  return {
    text: kept.length === 0 ? '' : textOf(kept, format, service, by),
    count: kept.length,
    left: rows.length - kept.length,
    updatedAt: kept.reduce<string | null>((last, row) => later(last, updatedOf(row)), null),
    next,
  };
}

/** What stands around the parts. `updatedAt` is RFC 3339. */
export function itemsFrame(
  list: ExportedList,
  format: ItemExportFormat,
  updatedAt: string,
  by: InLocale & { version: string },
): ExportFrame {
  const title = xmlText(titleOf(list, by));
  const { query, service } = list;
  const head: FeedHead = {
    // What the reader chose; a file of the same choice is the same feed.
    id: stableId(service, 'items', query.saved ?? '', query.category ?? '', query.text ?? '', query.state, query.scope),
    title,
    subtitle: m.exported_items_note({}, by),
    author: serviceLabel(service),
    updatedAt: feedTime(updatedAt) ?? updatedAt,
    version: by.version,
  };
  const frames = { atom: atomFrame, jsonfeed: jsonFeedFrame, csv: csvFrame, md: markdownFrame };
  return frames[format](head);
}

function textOf(rows: readonly ItemRow[], format: ItemExportFormat, service: string, by: InLocale): string {
  switch (format) {
    case 'atom':
      return atomText(rows.map((row) => feedEntry(row, service, by)));
    case 'jsonfeed':
      return jsonFeedText(rows.map((row) => feedEntry(row, service, by)));
    case 'csv':
      return csvText(rows);
    case 'md':
      return itemsMarkdown(rows, by);
  }
}

export function updatedOf({ revisedAt, effectiveAt }: ItemRow): string | null {
  return later(feedTime(revisedAt), feedTime(effectiveAt));
}

function titleOf({ query, saved }: ExportedList, by: InLocale): string {
  const parts = [
    saved,
    query.category === undefined ? null : categoryIn(query.category, by),
    query.text?.trim(),
  ].filter(Boolean);
  return `Broadsheet: ${parts.length === 0 ? m.exported_items_all({}, by) : parts.join(' · ')}`;
}
