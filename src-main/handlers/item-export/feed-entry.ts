import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { sourceLabel } from '../../common/source-label.ts';
import { paragraphs } from '../../common/text.ts';
import type { ItemRow } from '../../contract/model/item.ts';
import { escaped, linkHtml, oneLine } from '../export-text/html-text.ts';
import { webAddress } from '../export-text/web-address.ts';
import { feedTime, later, stableId, xmlText } from '../export-text/xml-text.ts';
import { categoryIn } from './category.ts';

/** An entry of a feed, whatever its format. Texts have no characters that XML forbids. */
export interface FeedEntry {
  /** Outlives the file and the address of the original. */
  id: string;
  title: string;
  html: string;
  /** The original, or else the service's page. */
  url: string | null;
  /** The service's page. */
  page: string | null;
  author: string;
  category: { term: string; label: string } | null;
  publishedAt: string | null;
  updatedAt: string;
}

/** An item with what the service asks to be shown with it: the original, its own page and the attribution. */
export function feedEntry(row: ItemRow, service: string, by: InLocale): FeedEntry {
  const { id, links, category } = row;
  const original = webAddress(links.original);
  const page = webAddress(links.aihot);
  const title = oneLine(xmlText(row.title));
  const term = xmlText(category ?? '').trim();
  return {
    id: stableId(service, 'item', id),
    // A feed without a title is not valid.
    title: title === '' ? xmlText(id) || '?' : title,
    html: htmlOf(row, by),
    url: original ?? page,
    page: original === null ? null : page,
    author: sourceLabel(xmlText(row.source.name ?? '')),
    category: term === '' ? null : { term, label: categoryIn(term, by) },
    publishedAt: feedTime(row.publishedAt),
    updatedAt: later(feedTime(row.revisedAt), feedTime(row.effectiveAt)) ?? '1970-01-01T00:00:00.000Z',
  };
}

function htmlOf(row: ItemRow, by: InLocale): string {
  const { originalTitle, summary, reason, links, source, attribution } = row;
  const plain = (text: string): string => escaped(xmlText(text));
  const original = originalTitle?.trim() && originalTitle.trim() !== row.title.trim() ? originalTitle : null;
  // Without an address there is nothing to open.
  const linked = (url: string | null, text: string): string =>
    webAddress(url) === null ? '' : linkHtml(url, plain(text));
  const facts = [
    plain(oneLine(source.name ?? '')),
    linked(links.original, m.article_open_original({}, by)),
    linked(links.aihot, m.exported_report_page({}, by)),
    attribution &&
      `${plain(m.exported_report_by({}, by))} ${linkHtml(attribution.url, plain(attribution.name ?? attribution.url ?? ''))}`,
  ].filter(Boolean);
  return [
    original && `<p><i>${plain(original)}</i></p>`,
    ...paragraphs(summary ?? '').map((text) => `<p>${plain(text)}</p>`),
    reason?.trim() && `<p>${plain(m.article_reason({}, by))}: ${plain(oneLine(reason))}</p>`,
    facts.length > 0 && `<p>${facts.join(' · ')}</p>`,
  ]
    .filter(Boolean)
    .join('\n');
}
