import { parseFeed } from 'feedsmith';
import { describe, expect, it } from 'vitest';
import { itemsFrame, itemsPart } from '../../src-main/render/item-files.ts';
import { stableId } from '../../src-main/core/reads.ts';
import type { ItemExportFormat } from '../../src-main/contract/model/export.ts';
import type { ItemRow, ItemsQuery } from '../../src-main/contract/model/item.ts';
import { checkAtom, checkJsonFeed } from '../support/feeds.ts';
import { item } from '../support/items.ts';

const EN = { locale: 'en' } as const;
const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };
const SERVICE = 'https://news.example';
const from = (service: string) => ({ ...EN, service, idOf: stableId, version: '1.2.3' });
const NASTY = `]]> </title><script>alert(1)</script> &amp; &apos; <b>"x"</b> \u0000\u0008\ud800\u202e😀\ufffe`;
/** The same text without the characters that XML forbids. */
const CLEAN = `]]> </title><script>alert(1)</script> &amp; &apos; <b>"x"</b> \u202e😀`;

function row(given: Partial<ItemRow> = {}): ItemRow {
  return {
    ...item(given),
    effectiveAt: '2026-03-18T06:00:00.000Z',
    inSelectedSet: false,
    leftSelectionAt: null,
    withdrawnAt: null,
    revisedAt: null,
    state: { readAt: null, starredAt: null },
    models: [],
    snippets: [],
    ...given,
  };
}

/** A whole file of these rows. */
function fileOf(rows: ItemRow[], format: ItemExportFormat, query = ALL, service = SERVICE): string {
  const part = itemsPart({ rows, next: null }, format, from(service));
  const at = part.updatedAt ?? '2026-03-20T00:00:00Z';
  const { head, tail } = itemsFrame({ query, saved: null }, format, at, from(service));
  return head + part.text + tail;
}

const hostile = row({
  id: NASTY,
  title: NASTY,
  originalTitle: NASTY,
  summary: `${NASTY}\n\n${NASTY}`,
  source: { name: NASTY },
  category: NASTY,
  reason: NASTY,
  links: { original: 'https://a.example/{a|b}?q=[1]&r="2"%zz', aihot: 'javascript:alert(1)' },
  attribution: { name: NASTY, url: 'data:text/html,x' },
  publishedAt: '+010000-01-01T00:00:00Z',
});
const bare = row({ id: 'bare', title: ' \u0000 ', source: { name: null }, links: { original: null, aihot: null } });
const revised = row({
  id: 'revised',
  revisedAt: '2026-03-19T01:02:03.000Z',
  publishedAt: 'yesterday',
  category: 'paper',
});

describe('a feed of items', () => {
  it('in Atom follows RFC 4287, whatever the texts contain', () => {
    const feed = checkAtom(fileOf([hostile, bare, revised], 'atom'));
    expect(feed.updated).toBe('2026-03-19T01:02:03.000Z');
    const [first, second, third] = feed.entries;
    // A name is no HTML, and the library writes this reference as what it stands for.
    const author = CLEAN.replace('&apos;', "'");
    expect(first).toMatchObject({ title: CLEAN, author, published: '9999-12-31T23:59:59.000Z' });
    expect(first?.url).toBe('https://a.example/%7Ba%7Cb%7D?q=%5B1%5D&r=%222%22%25zz');
    expect(first?.text).toContain(CLEAN);
    expect(first?.content).not.toContain('javascript:');
    expect(second).toMatchObject({ title: 'bare', url: undefined, author: undefined, text: 'bare' });
    expect(third).toMatchObject({ updated: '2026-03-19T01:02:03.000Z', published: undefined });
  });

  it('is read by a parser as it was meant', () => {
    const { format, feed } = parseFeed(fileOf([hostile, revised], 'atom'));
    expect(format).toBe('atom');
    expect(feed).toMatchObject({
      entries: [{ links: [{ rel: 'alternate' }] }, { categories: [{ term: 'paper', label: 'Papers' }] }],
    });
    expect(parseFeed(fileOf([hostile, revised], 'jsonfeed'))).toMatchObject({
      format: 'json',
      feed: { items: [{}, {}] },
    });
  });

  it('in JSON follows JSON Feed 1.1, whatever the texts contain', () => {
    const { items } = checkJsonFeed(fileOf([hostile, bare, revised], 'jsonfeed'));
    expect(items[0]).toMatchObject({ title: CLEAN, authors: [{ name: CLEAN }] });
    expect(items[1]).not.toHaveProperty('url');
    expect(items[2]).toMatchObject({ date_modified: '2026-03-19T01:02:03.000Z', tags: ['Papers'] });
    expect(items[2]).not.toHaveProperty('date_published');
  });

  it.each(['atom', 'jsonfeed'] as const)('without items is valid in %s', (format) => {
    const text = fileOf([], format);
    const entries = format === 'atom' ? checkAtom(text).entries : checkJsonFeed(text).items;
    expect(entries).toEqual([]);
  });

  it('keeps the ids of its entries when their texts and addresses change', () => {
    const idsOf = (rows: ItemRow[], service = SERVICE) =>
      checkAtom(fileOf(rows, 'atom', ALL, service)).entries.map(({ id }) => id);
    const before = idsOf([row({ id: 'a' }), row({ id: 'b' })]);
    const after = idsOf([
      row({ id: 'b', title: 'New', links: { original: 'https://moved.example/', aihot: null } }),
      row({ id: 'a' }),
    ]);
    expect(after).toEqual([...before].reverse());
    // Another service can have the same ids.
    expect(idsOf([row({ id: 'a' })], 'https://other.example')[0]).not.toBe(before[0]);
    // Fixed forever: feed readers would show everything again.
    expect(before[0]).toBe('urn:uuid:3484a3fa-9b36-5d1f-bc9a-674004386f81');
    const feedId = (query: ItemsQuery) => checkAtom(fileOf([], 'atom', query)).id;
    expect(feedId(ALL)).toBe(feedId({ ...ALL }));
    expect(feedId({ ...ALL, text: 'a' })).not.toBe(feedId({ ...ALL, category: 'a' }));
  });

  it('has a head of one length, so that the time in it can be written last', () => {
    const headAt = (time: string) => itemsFrame({ query: ALL, saved: null }, 'atom', time, from(SERVICE)).head;
    const lengths = [
      '2026-03-18T06:00:00Z',
      '+275760-09-13T00:00:00.000Z',
      '-271821-04-20T00:00:00.000Z',
      '0001-01-01T00:00:00Z',
    ];
    expect(new Set(lengths.map((time) => headAt(time).length)).size).toBe(1);
  });

  it('gives credit: the original, the page of the service, the whole name of the source, the attribution', () => {
    const credited = row({
      source: { name: 'X：The lab (@lab)' },
      links: { original: 'https://lab.example/a', aihot: 'https://news.example/items/1' },
      attribution: { name: 'The index', url: 'https://index.example/' },
    });
    const [entry] = checkAtom(fileOf([credited], 'atom')).entries;
    expect(entry?.author).toBe('The lab');
    expect(entry?.content).toContain('X：The lab (@lab)');
    for (const url of ['https://lab.example/a', 'https://news.example/items/1', 'https://index.example/'])
      expect(entry?.content).toContain(`href="${url}"`);
  });
});

describe('withdrawn items', () => {
  const gone = row({ id: 'gone', title: '', withdrawnAt: '2026-03-19T00:00:00.000Z' });

  it.each(['atom', 'jsonfeed', 'md'] as const)('are left out of %s, and counted', (format) => {
    expect(itemsPart({ rows: [gone, row()], next: null }, format, from(SERVICE))).toMatchObject({
      count: 1,
      left: 1,
    });
    expect(itemsPart({ rows: [gone], next: null }, format, from(SERVICE))).toMatchObject({
      text: '',
      updatedAt: null,
    });
  });

  it('have a row in a table, with the time and without texts', () => {
    const part = itemsPart({ rows: [gone], next: null }, 'csv', from(SERVICE));
    expect(part).toMatchObject({ count: 1, left: 0 });
    expect(part.text).toContain('2026-03-19T00:00:00.000Z');
  });
});

describe('a table of items', () => {
  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1', '\u200b=1', '\ufeff=1', '＝1', '\u0000=1'])(
    'runs no formula that begins with %j',
    (text) => {
      const csv = fileOf([row({ title: text, source: { name: text }, summary: `${text}\n${text}` })], 'csv');
      const cells = parseCsv(csv)[1] ?? [];
      for (const cell of cells) expect(cell.trimStart()).not.toMatch(/^[\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]/u);
      expect(cells[1]).toMatch(/^'/);
    },
  );

  it('has a mark of UTF-8, a header, and as many cells in each row, whatever the texts contain', () => {
    const csv = fileOf([hostile, row({ title: 'a,"b";c\r\nd' })], 'csv');
    expect(csv.startsWith('\ufeffid,title,originalTitle,summary,source,')).toBe(true);
    const rows = parseCsv(csv);
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((cells) => cells.length)).size).toBe(1);
    expect(rows[2]?.[1]).toBe('a,"b";c\r\nd');
  });
});

describe('items as Markdown', () => {
  it('escape what would act as markup', () => {
    const md = fileOf([row({ title: '# [x](javascript:y) <b>', summary: '- a\n> *b*' })], 'md');
    expect(md).toContain('## [\\# \\[x\\](javascript:y) \\<b\\>](<https://example.org/one>)');
    expect(md).toContain('\\- a\n\n\\> \\*b\\*');
  });
});

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  return rows.filter((cells) => cells.length > 0);
}
