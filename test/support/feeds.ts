import { JSDOM, type ParsedDocument, type ParsedElement } from 'jsdom';
import { expect } from 'vitest';

const ATOM = 'http://www.w3.org/2005/Atom';
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
// A new window for each text would take longer than all the rest of a check.
const { DOMParser } = new JSDOM().window;

/** Elements and attributes that a browser would execute or load. */
const ACTIVE = 'script, iframe, object, embed, img, link, style, form, [onclick], [onerror], [src]';

/** Parses HTML as a browser does, and runs nothing. */
export function parseHtml(text: string): ParsedDocument {
  return new DOMParser().parseFromString(text, 'text/html');
}

/** Parses XML strictly: text that is not well-formed fails. */
export function parseXml(text: string, type = 'application/xml'): ParsedDocument {
  const document = new DOMParser().parseFromString(text, type);
  expect(document.querySelector('parsererror')?.textContent).toBeUndefined();
  return document;
}

export interface CheckedEntry {
  id: string;
  /** As a reader shows it. */
  title: string;
  updated: string;
  published: string | undefined;
  url: string | undefined;
  author: string | undefined;
  /** The text of the content, as a reader shows it. */
  text: string;
  content: string;
}

export interface CheckedFeed {
  id: string;
  title: string;
  updated: string;
  /** Only if the feed has an address. */
  self?: string | undefined;
  home?: string | undefined;
  icon?: string | undefined;
  entries: CheckedEntry[];
}

/** Checks the rules of RFC 4287 (sections 3 and 4) for feeds like ours, and that no entry carries anything active. */
export function checkAtom(text: string): CheckedFeed {
  const feed = parseXml(text).documentElement;
  expect([feed.localName, feed.namespaceURI]).toEqual(['feed', ATOM]);
  const known = ['author', 'generator', 'icon', 'id', 'link', 'subtitle', 'title', 'updated', 'entry'];
  expect([...feed.children].filter(({ localName }) => !known.includes(localName))).toEqual([]);
  for (const name of ['id', 'title', 'updated', 'author']) expect(childrenOf(feed, name), name).toHaveLength(1);
  const order = [...feed.children].map(({ localName }) => localName);
  // The schema of the RFC has all entries at the end.
  expect(order.slice(order.indexOf('entry')).every((name) => name === 'entry' || !order.includes('entry'))).toBe(true);
  const entries = childrenOf(feed, 'entry').map(checkEntry);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  const updated = timeOf(feed, 'updated');
  expect(idOf(feed)).not.toBe('');
  if (entries.length > 0)
    expect(updated).toBe(
      entries
        .map((entry) => entry.updated)
        .sort()
        .at(-1),
    );
  const linkOf = (rel: string): string | undefined =>
    childrenOf(feed, 'link')
      .find((link) => link.getAttribute('rel') === rel)
      ?.getAttribute('href') ?? undefined;
  const icon = childrenOf(feed, 'icon')[0]?.textContent ?? undefined;
  const links = { self: linkOf('self'), home: linkOf('alternate'), icon };
  return { id: idOf(feed), title: shown(only(feed, 'title')), updated, ...links, entries };
}

function checkEntry(entry: ParsedElement): CheckedEntry {
  const known = ['author', 'category', 'content', 'id', 'link', 'published', 'title', 'updated'];
  expect([...entry.children].filter(({ localName }) => !known.includes(localName))).toEqual([]);
  for (const name of ['id', 'title', 'updated', 'content']) expect(childrenOf(entry, name), name).toHaveLength(1);
  const links = childrenOf(entry, 'link');
  for (const link of links) {
    expect(link.getAttribute('href')).toMatch(/^https?:\/\/[\w.:[\]-]+(?:[\w\-.~:/?#@!$&'()*+,;=]|%[0-9a-f]{2})*$/i);
    expect(['alternate', 'via']).toContain(link.getAttribute('rel'));
  }
  const alternates = links.filter((link) => link.getAttribute('rel') === 'alternate');
  expect(alternates.length).toBeLessThanOrEqual(1);
  for (const category of childrenOf(entry, 'category')) expect(category.getAttribute('term')).toBeTruthy();
  const [author] = childrenOf(entry, 'author');
  const content = only(entry, 'content');
  expect(content.getAttribute('type')).toBe('html');
  return {
    id: idOf(entry),
    title: shown(only(entry, 'title')),
    updated: timeOf(entry, 'updated'),
    published: childrenOf(entry, 'published').length > 0 ? timeOf(entry, 'published') : undefined,
    url: alternates[0]?.getAttribute('href') ?? undefined,
    author: author ? textOf(author, 'name') : undefined,
    text: shown(content),
    content: textOf(entry, 'content'),
  };
}

export interface CheckedJsonItem {
  id: string;
  title?: string;
  url?: string;
  content_html: string;
  date_published?: string;
  date_modified: string;
  authors?: { name: string }[];
  tags?: string[];
}

interface CheckedJsonFeed {
  version: string;
  title: string;
  home_page_url?: string;
  feed_url?: string;
  icon?: string;
  items: CheckedJsonItem[];
}

/** Checks the rules of JSON Feed 1.1 for feeds like ours. */
export function checkJsonFeed(text: string): CheckedJsonFeed {
  const feed = JSON.parse(text) as CheckedJsonFeed;
  const ofAddress = feed.feed_url === undefined ? [] : ['feed_url', 'home_page_url', 'icon'];
  expect(Object.keys(feed).sort()).toEqual(['authors', 'description', ...ofAddress, 'items', 'title', 'version']);
  expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
  expect(feed.title).toBeTruthy();
  expect(text.isWellFormed()).toBe(true);
  const known = new Set(['id', 'title', 'url', 'content_html', 'date_published', 'date_modified', 'authors', 'tags']);
  for (const item of feed.items) {
    expect(Object.keys(item).filter((name) => !known.has(name))).toEqual([]);
    expect(item.id).toMatch(/^urn:uuid:/);
    expect(typeof item.content_html).toBe('string');
    expect(parseHtml(item.content_html).body.querySelectorAll(ACTIVE)).toHaveLength(0);
    if (item.url !== undefined) expect(URL.parse(item.url)?.protocol).toMatch(/^https?:$/);
    for (const time of [item.date_published, item.date_modified])
      expect(time ?? '1970-01-01T00:00:00Z').toMatch(RFC_3339);
    for (const author of item.authors ?? []) expect(author.name).toBeTruthy();
    for (const tag of item.tags ?? []) expect(tag).toBeTruthy();
  }
  expect(new Set(feed.items.map(({ id }) => id)).size).toBe(feed.items.length);
  return feed;
}

function childrenOf(element: ParsedElement, name: string): ParsedElement[] {
  return [...element.children].filter((child) => child.localName === name && child.namespaceURI === ATOM);
}

function only(element: ParsedElement, name: string): ParsedElement {
  const [child] = childrenOf(element, name);
  if (!child) throw new Error(`no ${name}`);
  return child;
}

function textOf(element: ParsedElement, name: string): string {
  return only(element, name).textContent ?? '';
}

/** An absolute IRI without space around it, which would belong to it (RFC 4287, section 4.2.6). */
function idOf(element: ParsedElement): string {
  const id = textOf(element, 'id');
  expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  return id;
}

function timeOf(element: ParsedElement, name: string): string {
  const time = textOf(element, name);
  expect(time).toMatch(RFC_3339);
  return time;
}

/** A text construct of the type html as a reader shows it: its text is parsed once more. */
function shown(element: ParsedElement): string {
  const { body } = parseHtml(element.textContent ?? '');
  expect(body.querySelectorAll(ACTIVE)).toHaveLength(0);
  return (body.textContent ?? '').trim();
}
