import { categoryName } from '../common/i18n/labels.ts';
import type { InLocale } from '../common/i18n/locale.ts';
import { m } from '../common/i18n/messages.ts';
import { sourceLabel } from '../common/source-label.ts';
import { removeForbidden } from '../common/text.ts';
import type { ExportFrame, ExportPart, FeedFormat, FeedLinks, ItemExportFormat } from '../contract/model/export.ts';
import type { ItemRow, ItemsPage, ItemsQuery } from '../contract/model/item.ts';
import { exportAudience, fact, headingOf, type Origin, webAddress } from './document.ts';
import { itemDocument } from './item.ts';
import { csvHead, toCsv, type CsvColumn } from './outputs/csv.ts';
import {
  FEED_OUTPUTS,
  feedEntry,
  feedTime,
  laterOf,
  serviceLabel,
  type FeedEntry,
  type FeedHead,
} from './outputs/feed.ts';
import { toHtmlBody } from './outputs/html.ts';
import { markdownHead, toMarkdownPart } from './outputs/markdown.ts';

type By = InLocale & Origin;

const FORMATS: Readonly<
  Record<
    ItemExportFormat,
    { part: (rows: readonly ItemRow[], by: By) => string; frame: (head: FeedHead) => ExportFrame }
  >
> = {
  atom: feedOf('atom'),
  jsonfeed: feedOf('jsonfeed'),
  csv: {
    part: (rows) => toCsv(rows, COLUMNS),
    frame: () => ({
      name: 'broadsheet-items.csv',
      mediaType: 'text/csv; charset=utf-8',
      head: csvHead(COLUMNS),
      separator: '',
      tail: '',
    }),
  },
  md: {
    part: (rows, by) => rows.map((row) => toMarkdownPart(itemDocument(row, exportAudience(by)), by)).join('\n\n'),
    frame: ({ title, subtitle }) => ({
      name: 'broadsheet-items.md',
      mediaType: 'text/markdown; charset=utf-8',
      head: markdownHead(title, subtitle),
      separator: '\n\n',
      tail: '\n',
    }),
  },
};

function feedOf(format: FeedFormat) {
  const { part, frame } = FEED_OUTPUTS[format];
  return { part: (rows: readonly ItemRow[], by: By) => part(rows.map((row) => entryOf(row, by))), frame };
}

type PlainField = { [K in keyof ItemRow]-?: ItemRow[K] extends string | number | null ? K : never }[keyof ItemRow];

const plain = (...names: readonly PlainField[]): CsvColumn<ItemRow>[] =>
  names.map((name) => [name, (row) => row[name]]);

/** The service's field names (observed-1-fields) first. */
const COLUMNS: readonly CsvColumn<ItemRow>[] = [
  ...plain('id', 'title', 'originalTitle', 'summary'),
  ['source', ({ source }) => source.name],
  ...plain('category', 'score'),
  ['selected', ({ inSelectedSet }) => inSelectedSet],
  ...plain('reason'),
  ['original', ({ links }) => links.original],
  ['page', ({ links }) => links.aihot],
  ['attribution', ({ attribution }) => attribution?.name ?? null],
  ['attributionUrl', ({ attribution }) => attribution?.url ?? null],
  ...plain('publishedAt', 'discoveredAt', 'effectiveAt', 'revisedAt', 'withdrawnAt'),
  ['readAt', ({ state }) => state.readAt],
  ['starredAt', ({ state }) => state.starredAt],
];

/** Only tables list withdrawn items, which have no texts. */
export function itemsPart(
  { rows, next }: Pick<ItemsPage, 'rows' | 'next'>,
  format: ItemExportFormat,
  by: By,
): ExportPart {
  const kept = format === 'csv' ? rows : rows.filter((row) => row.withdrawnAt === null);
  return {
    text: kept.length === 0 ? '' : FORMATS[format].part(kept, by),
    count: kept.length,
    left: rows.length - kept.length,
    updatedAt: kept.reduce<string | null>((last, row) => laterOf(last, updateOf(row)), null),
    next,
  };
}

/** `saved` is the name of the saved search. */
export function itemsFrame(
  { query, saved, links }: { query: ItemsQuery; saved: string | null; links?: FeedLinks | undefined },
  format: ItemExportFormat,
  updatedAt: string,
  by: By & { version: string },
): ExportFrame {
  const { category, text, state, scope } = query;
  const view = state === 'starred' ? m.views_starred({}, by) : scope === 'selected' && m.views_selected({}, by);
  const choice = [view, saved, category && categoryName(category, by), text?.trim()].filter(Boolean);
  return FORMATS[format].frame({
    // From the query, so that a later file of the same query is the same feed.
    id: by.idOf(by.service, 'items', query.saved ?? '', category ?? '', text ?? '', state, scope),
    title: `Broadsheet: ${choice.length === 0 ? m.views_everything({}, by) : choice.join(' · ')}`,
    subtitle: m.exported_items_note({}, by),
    author: serviceLabel(by.service),
    updatedAt: feedTime(updatedAt) ?? updatedAt,
    version: by.version,
    links,
  });
}

/** Includes what the service asks for: the original, its own page and the attribution. */
function entryOf(row: ItemRow, by: By): FeedEntry {
  const { id, links, category, source } = row;
  const original = webAddress(links.original);
  const page = webAddress(links.aihot);
  const document = itemDocument(row, exportAudience(by));
  const footer = [
    ...fact(source.name?.replace(/\s+/g, ' ').trim()),
    ...(original === null ? [] : fact(m.article_open_original({}, by), links.original)),
    ...document.footer,
  ];
  const entry = {
    id: by.idOf(by.service, 'item', id),
    title: headingOf(document),
    html: toHtmlBody({ ...document, footer }, by),
    url: original ?? page,
    page: original === null ? null : page,
    author: sourceLabel(removeForbidden(source.name ?? '')),
    category: category === null ? null : { term: category, label: categoryName(category, by) },
    publishedAt: feedTime(row.publishedAt),
    updatedAt: updateOf(row) ?? '1970-01-01T00:00:00.000Z',
  };
  return feedEntry(entry, id);
}

function updateOf({ revisedAt, effectiveAt }: ItemRow): string | null {
  return laterOf(feedTime(revisedAt), feedTime(effectiveAt));
}
