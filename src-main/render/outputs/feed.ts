import { generateAtomFeed, generateJsonFeed } from 'feedsmith';
import { removeForbidden } from '../../common/text.ts';
import type { ExportFrame, FeedFormat, FeedLinks } from '../../contract/model/export.ts';
import { escapeHtml } from './escape.ts';

export interface FeedEntry {
  /** Stays the same when the file or the original's address changes. */
  id: string;
  title: string;
  html: string;
  url: string | null;
  /** The service's page, unless it is `url`. */
  page: string | null;
  author: string;
  category: { term: string; label: string } | null;
  publishedAt: string | null;
  updatedAt: string;
}

export function feedEntry({ title, author, category, ...rest }: FeedEntry, fallback: string): FeedEntry {
  const clean = (text: string): string => removeForbidden(text).trim();
  const lineOf = (text: string): string => clean(text.replace(/\s+/g, ' '));
  const term = clean(category?.term ?? '');
  return {
    ...rest,
    // Feeds without titles are invalid.
    title: lineOf(title) || clean(fallback) || '?',
    author: clean(author),
    category: category === null || term === '' ? null : { term, label: clean(category.label) },
  };
}

export interface FeedHead {
  id: string;
  title: string;
  subtitle: string;
  author: string;
  /** As from {@link feedTime}. */
  updatedAt: string;
  version: string;
  links?: FeedLinks | undefined;
}

type AtomFeed = Parameters<typeof generateAtomFeed>[0];

const EMPTY: AtomFeed = { id: 'urn:x', title: { value: '-' }, updated: '1970-01-01T00:00:00.000Z' };
const END = '</feed>';

/** Takes the entries out of a whole feed, which is all that the library writes: a long one is never in memory. */
function toAtom(entries: readonly FeedEntry[]): string {
  const text = removePadding(generateAtomFeed({ ...EMPTY, entries: entries.map(formatAtomEntry) }));
  return text.slice(text.indexOf('<entry>'), text.lastIndexOf(END)).trimEnd();
}

function atomFrame(head: FeedHead): ExportFrame {
  const feed = generateAtomFeed({
    id: head.id,
    title: atomText(head.title),
    subtitle: atomText(head.subtitle),
    updated: head.updatedAt,
    // Entries without an author inherit the feed's (RFC 4287, section 4.2.1).
    authors: [{ name: head.author }],
    generator: { text: 'Broadsheet', version: head.version },
    ...(head.links && {
      icon: head.links.icon,
      links: [
        { href: head.links.self, rel: 'self', type: 'application/atom+xml' },
        { href: head.links.home, rel: 'alternate', type: 'text/html' },
      ],
    }),
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

/** The library pads long texts, and feed readers show that space around names. */
function removePadding(xml: string): string {
  return xml.replace(/>\s+<!\[CDATA\[/g, '><![CDATA[').replace(/\]\]>\s+<\//g, ']]></');
}

/** Sent as escaped HTML, because many feed readers treat plain text as HTML. */
function atomText(text: string): { value: string; type: 'html' } {
  return { value: escapeHtml(text), type: 'html' };
}

function toJsonFeed(entries: readonly FeedEntry[]): string {
  const { items } = generateJsonFeed({ title: '-', items: entries.map(formatJsonEntry) }) as { items: object[] };
  return items.map((item) => JSON.stringify(item)).join(',\n');
}

function jsonFeedFrame({ title, subtitle, author, links }: FeedHead): ExportFrame {
  const feed = generateJsonFeed({
    title: removeForbidden(title),
    ...(links && { home_page_url: links.home, feed_url: links.self }),
    description: subtitle,
    ...(links && { icon: links.icon }),
    authors: [{ name: author }],
    items: [],
  }) as object;
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
    // The original, not the service's page about it.
    ...(url !== null && { url }),
    ...(publishedAt !== null && { date_published: publishedAt }),
    date_modified: updatedAt,
    ...(author !== '' && { authors: [{ name: author }] }),
    ...(category && { tags: [category.label] }),
  };
}

export const FEED_OUTPUTS: Readonly<
  Record<FeedFormat, { part: (entries: readonly FeedEntry[]) => string; frame: (head: FeedHead) => ExportFrame }>
> = {
  atom: { part: toAtom, frame: atomFrame },
  jsonfeed: { part: toJsonFeed, frame: jsonFeedFrame },
};

export function serviceLabel(service: string): string {
  return URL.parse(service)?.host ?? 'Broadsheet demo';
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** Returns RFC 3339 in UTC, always 24 characters: years have four digits. */
export function feedTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : new Date(Math.max(EARLIEST, Math.min(ms, LATEST))).toISOString();
}

export function laterOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
