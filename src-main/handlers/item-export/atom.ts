import { generateAtomFeed } from 'feedsmith';
import type { ExportFrame } from '../../contract/model/export.ts';
import { escaped } from '../export-text/html-text.ts';
import type { FeedEntry } from './feed-entry.ts';

/** What a feed says of itself. */
export interface FeedHead {
  id: string;
  title: string;
  subtitle: string;
  author: string;
  /** RFC 3339 of a fixed length. */
  updatedAt: string;
  version: string;
}

type Feed = Parameters<typeof generateAtomFeed>[0];

const EMPTY: Feed = { id: 'urn:x', title: { value: '-' }, updated: '1970-01-01T00:00:00.000Z' };
const END = '</feed>';

/** The library makes whole feeds: of a page of entries, only these are taken, so that a long feed is never in memory. */
export function atomText(entries: readonly FeedEntry[]): string {
  const text = tight(generateAtomFeed({ ...EMPTY, entries: entries.map(entryOf) }));
  return text.slice(text.indexOf('<entry>'), text.lastIndexOf(END)).trimEnd();
}

export function atomFrame(head: FeedHead): ExportFrame {
  const feed = generateAtomFeed({
    id: head.id,
    title: html(head.title),
    subtitle: html(head.subtitle),
    updated: head.updatedAt,
    // An entry without an author of its own takes that of the feed (RFC 4287, section 4.2.1).
    authors: [{ name: head.author }],
    generator: { text: 'Broadsheet', version: head.version },
  });
  const text = tight(feed);
  return {
    name: 'broadsheet.atom.xml',
    mediaType: 'application/atom+xml; charset=utf-8',
    head: `${text.slice(0, text.lastIndexOf(END)).trimEnd()}\n  `,
    separator: '\n  ',
    tail: `\n${END}\n`,
  };
}

function entryOf({ id, title, html: body, url, page, author, ...rest }: FeedEntry) {
  const { category, publishedAt, updatedAt } = rest;
  return {
    id,
    title: html(title),
    updated: updatedAt,
    ...(publishedAt !== null && { published: publishedAt }),
    ...(author !== '' && { authors: [{ name: author }] }),
    links: [
      ...(url === null ? [] : [{ href: url, rel: 'alternate', type: 'text/html' }]),
      ...(page === null ? [] : [{ href: page, rel: 'via', type: 'text/html' }]),
    ],
    ...(category && { categories: [category] }),
    content: { value: body === '' ? `<p>${escaped(title)}</p>` : body, type: 'html' },
  };
}

/** Without the space that the library puts around long texts: feed readers show that around names. */
function tight(xml: string): string {
  return xml.replace(/>\s+<!\[CDATA\[/g, '><![CDATA[').replace(/\]\]>\s+<\//g, ']]></');
}

/** As HTML with all markup escaped: many feed readers take plain text for HTML, too. */
function html(text: string): { value: string; type: 'html' } {
  return { value: escaped(text), type: 'html' };
}
