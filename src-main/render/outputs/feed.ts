import { generateAtomFeed, generateJsonFeed } from 'feedsmith';
import { removeForbidden } from '../../common/text.ts';
import type { ExportFrame } from '../../contract/model/export.ts';
import { escapeHtml } from './escape.ts';

/** An entry of a feed, whatever its format. */
export interface FeedEntry {
  /** Outlives the file and the address of the original. */
  id: string;
  title: string;
  html: string;
  /** The original, or else the service's page. */
  url: string | null;
  /** The service's page, if it is not the address above. */
  page: string | null;
  author: string;
  category: { term: string; label: string } | null;
  publishedAt: string | null;
  updatedAt: string;
}

/** Makes an entry of texts of the service. `fallback` is the title if the own one is empty. */
export function feedEntry({ title, author, category, ...rest }: FeedEntry, fallback: string): FeedEntry {
  const clean = (text: string): string => removeForbidden(text).trim();
  const lineOf = (text: string): string => clean(text.replace(/\s+/g, ' '));
  const term = clean(category?.term ?? '');
  return {
    ...rest,
    // A feed without a title is not valid.
    title: lineOf(title) || clean(fallback) || '?',
    author: clean(author),
    category: category === null || term === '' ? null : { term, label: clean(category.label) },
  };
}

/** The metadata of a feed. */
export interface FeedHead {
  id: string;
  title: string;
  subtitle: string;
  author: string;
  /** RFC 3339 of a fixed length. */
  updatedAt: string;
  version: string;
}

type AtomFeed = Parameters<typeof generateAtomFeed>[0];

const EMPTY: AtomFeed = { id: 'urn:x', title: { value: '-' }, updated: '1970-01-01T00:00:00.000Z' };
const END = '</feed>';

/** The library makes whole feeds: of a page of entries, only these are taken, so that a long feed is never in memory. */
export function toAtom(entries: readonly FeedEntry[]): string {
  const text = removePadding(generateAtomFeed({ ...EMPTY, entries: entries.map(formatAtomEntry) }));
  return text.slice(text.indexOf('<entry>'), text.lastIndexOf(END)).trimEnd();
}

export function atomFrame(head: FeedHead): ExportFrame {
  const feed = generateAtomFeed({
    id: head.id,
    title: atomText(head.title),
    subtitle: atomText(head.subtitle),
    updated: head.updatedAt,
    // An entry without an author of its own takes that of the feed (RFC 4287, section 4.2.1).
    authors: [{ name: head.author }],
    generator: { text: 'Broadsheet', version: head.version },
  });
  const text = removePadding(feed);
  return {
    name: 'broadsheet.atom.xml',
    mediaType: 'application/atom+xml; charset=utf-8',
    head: `${text.slice(0, text.lastIndexOf(END)).trimEnd()}\n  `,
    separator: '\n  ',
    tail: `\n${END}\n`,
  };
}

function formatAtomEntry({ id, title, html, url, page, author, ...rest }: FeedEntry) {
  const { category, publishedAt, updatedAt } = rest;
  return {
    id,
    title: atomText(title),
    updated: updatedAt,
    ...(publishedAt !== null && { published: publishedAt }),
    ...(author !== '' && { authors: [{ name: author }] }),
    links: [
      ...(url === null ? [] : [{ href: url, rel: 'alternate', type: 'text/html' }]),
      ...(page === null ? [] : [{ href: page, rel: 'via', type: 'text/html' }]),
    ],
    ...(category && { categories: [category] }),
    content: { value: html === '' ? `<p>${escapeHtml(title)}</p>` : html, type: 'html' },
  };
}

/** Removes the space that the library puts around long texts: feed readers show that around names. */
function removePadding(xml: string): string {
  return xml.replace(/>\s+<!\[CDATA\[/g, '><![CDATA[').replace(/\]\]>\s+<\//g, ']]></');
}

/** As HTML with all markup escaped: many feed readers take plain text for HTML, too. */
function atomText(text: string): { value: string; type: 'html' } {
  return { value: escapeHtml(text), type: 'html' };
}

/** Entries as JSON, without brackets around them. */
export function toJsonFeed(entries: readonly FeedEntry[]): string {
  const { items } = generateJsonFeed({ title: '-', items: entries.map(formatJsonEntry) }) as { items: object[] };
  return items.map((item) => JSON.stringify(item)).join(',\n');
}

export function jsonFeedFrame({ title, subtitle, author }: FeedHead): ExportFrame {
  const head = { title: removeForbidden(title), description: subtitle, authors: [{ name: author }], items: [] };
  const feed = generateJsonFeed(head) as object;
  return {
    name: 'broadsheet.feed.json',
    mediaType: 'application/feed+json; charset=utf-8',
    head: `${JSON.stringify({ ...feed, items: undefined }, null, 2).slice(0, -2)},\n"items": [\n`,
    separator: ',\n',
    tail: '\n]\n}\n',
  };
}

function formatJsonEntry({ id, title, html, url, author, category, publishedAt, updatedAt }: FeedEntry) {
  return {
    id,
    title,
    content_html: html === '' ? `<p>${escapeHtml(title)}</p>` : html,
    // The page of the thing that the item is, not that of the service about it.
    ...(url !== null && { url }),
    ...(publishedAt !== null && { date_published: publishedAt }),
    date_modified: updatedAt,
    ...(author !== '' && { authors: [{ name: author }] }),
    ...(category && { tags: [category.label] }),
  };
}

/** Whom a feed is from, by the name of the news service: that of its host. */
export function serviceLabel(service: string): string {
  return URL.parse(service)?.host ?? 'Broadsheet demo';
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** RFC 3339 in UTC, 24 characters; null for what is no time. RFC 3339 has years of four digits. */
export function feedTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : new Date(Math.max(EARLIEST, Math.min(ms, LATEST))).toISOString();
}

/** The later of two times of {@link feedTime}. */
export function laterOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
