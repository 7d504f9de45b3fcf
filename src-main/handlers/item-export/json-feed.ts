import { generateJsonFeed } from 'feedsmith';
import type { ExportFrame } from '../../contract/model/export.ts';
import { escaped } from '../export-text/html-text.ts';
import type { FeedHead } from './atom.ts';
import type { FeedEntry } from './feed-entry.ts';

/** Entries as JSON, without brackets around them. */
export function jsonFeedText(entries: readonly FeedEntry[]): string {
  const { items } = generateJsonFeed({ title: '-', items: entries.map(itemOf) }) as { items: object[] };
  return items.map((item) => JSON.stringify(item)).join(',\n');
}

export function jsonFeedFrame({ title, subtitle, author }: FeedHead): ExportFrame {
  const feed = generateJsonFeed({ title, description: subtitle, authors: [{ name: author }], items: [] }) as object;
  return {
    name: 'broadsheet.feed.json',
    mediaType: 'application/feed+json; charset=utf-8',
    head: `${JSON.stringify({ ...feed, items: undefined }, null, 2).slice(0, -2)},\n"items": [\n`,
    separator: ',\n',
    tail: '\n]\n}\n',
  };
}

function itemOf({ id, title, html, url, author, category, publishedAt, updatedAt }: FeedEntry) {
  return {
    id,
    title,
    content_html: html === '' ? `<p>${escaped(title)}</p>` : html,
    // The page of the thing that the item is, not that of the service about it.
    ...(url !== null && { url }),
    ...(publishedAt !== null && { date_published: publishedAt }),
    date_modified: updatedAt,
    ...(author !== '' && { authors: [{ name: author }] }),
    ...(category && { tags: [category.label] }),
  };
}
