// Serves pages that were serialised before anything is timed: node test/bench/server.ts ITEMS [feed|slow|quick] [PORT].
// So that a slow server does not distort the figures, it runs in its own process, compresses nothing and sends
// Content-Length.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MARKERS, NEWEST, benchItems, edited, inOrderOfId, type BenchItem } from './data.ts';

const PAGE = 1000;
const CHANGES_PAGE = 100;

const all = benchItems(Number(process.argv[2]));
const pages = snapshotPages(inOrderOfId(all));
/** Changes after each cursor; the last one is empty. */
let changes = new Map<string, Buffer>();
let cursor = 0;
let version = 0;
addIdle();
/** In ms before each answer of a slow service, which also has a list of the newest items. */
const slowness = process.argv[3] === 'slow' ? 120 : 0;
const newest = Buffer.from(JSON.stringify(newestPage(all)));
const feed = process.argv[3] === 'feed' ? Buffer.from(rss(all)) : undefined;
const empty = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const EMPTY: Record<string, Buffer> = {
  items: empty({ schemaVersion: 1, query: {}, items: [], page: { count: 0, hasMore: false, nextCursor: null } }),
  'hot-topics': empty({ count: 0, items: [] }),
  dailies: empty({ count: 0, items: [] }),
  weeklies: empty({ count: 0, items: [] }),
  monthlies: empty({ count: 0, items: [] }),
};

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const name = url.pathname.replace('/api/v1/', '');
  const held = request.headers['if-none-match'];
  if (name === 'selected/snapshot') {
    const page = pages[Number(url.searchParams.get('page') ?? 0)];
    later(() => send(response, page, undefined));
  } else if (name === 'items' && slowness > 0) later(() => send(response, newest, '"newest"', held));
  else if (name === 'selected/changes') {
    const at = url.searchParams.get('cursor') ?? '';
    send(response, changes.get(at), `"${at}-${String(cursor)}"`, held);
  } else if (name === '/feed.xml') send(response, feed, undefined, undefined, 'application/rss+xml');
  else send(response, EMPTY[name], `"${name}"`, held);
});

function later(answer: () => void): void {
  if (slowness === 0) answer();
  else setTimeout(answer, slowness);
}

function send(
  response: ServerResponse,
  body: Buffer | undefined,
  etag: string | undefined,
  held?: string,
  type = 'application/json',
): void {
  const headers = { 'cache-control': 'public, s-maxage=1', ...(etag !== undefined && { etag }) };
  if (body === undefined) response.writeHead(404).end();
  else if (etag !== undefined && etag === held) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, 'content-type': type, 'content-length': body.length }).end(body);
}

function snapshotPages(items: readonly BenchItem[]): Buffer[] {
  const count = Math.ceil(items.length / PAGE);
  return Array.from({ length: count }, (_, index) => {
    const shown = items.slice(index * PAGE, (index + 1) * PAGE);
    const hasMore = index + 1 < count;
    const page = {
      asOf: new Date(NEWEST).toISOString(),
      fields: 'default',
      cursor: 'c0',
      count: shown.length,
      hasMore,
    };
    return Buffer.from(JSON.stringify({ ...page, nextPage: hasMore ? String(index + 1) : null, items: shown }));
  });
}

/** The newest items, as the only page of the list. */
function newestPage(items: readonly BenchItem[]): object {
  const shown = items.slice(-100).reverse();
  return { schemaVersion: 1, query: {}, items: shown, page: { count: shown.length, hasMore: false, nextCursor: null } };
}

/** Adds this many changes, spread over all items. */
function addChanges(count: number): void {
  version += 1;
  changes = new Map();
  const step = Math.max(1, Math.floor(all.length / count));
  const chosen = Array.from({ length: count }, (_, index) => all[(index * step) % all.length] as BenchItem);
  for (let from = 0; from < count; from += CHANGES_PAGE) {
    const page = chosen.slice(from, from + CHANGES_PAGE).map((item, index) => ({
      op: 'upsert',
      changedAt: new Date(NEWEST).toISOString(),
      item: edited(item, version, (from + index) % (count / MARKERS) === 0),
    }));
    const before = `c${String(cursor)}`;
    cursor += 1;
    const hasMore = from + CHANGES_PAGE < count;
    changes.set(before, changesPage(page, hasMore));
  }
  addIdle();
}

function addIdle(): void {
  changes.set(`c${String(cursor)}`, changesPage([], false));
}

function changesPage(page: object[], hasMore: boolean): Buffer {
  return Buffer.from(
    JSON.stringify({ fields: 'default', cursor: `c${String(cursor)}`, count: page.length, hasMore, changes: page }),
  );
}

/** The same items as a feed, for readers that know no other format. */
function rss(items: readonly BenchItem[]): string {
  const text = (value: unknown): string => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const entries = items.map(({ id, title, summary, links, discoveredAt }) => {
    const { original } = links as { original: string };
    const date = new Date(discoveredAt).toUTCString();
    return `<item><guid>${id}</guid><title>${text(title)}</title><link>${original}</link><pubDate>${date}</pubDate><description>${text(summary)}</description></item>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Bench</title><link>http://127.0.0.1/</link><description>Bench</description>${entries.join('')}</channel></rss>`;
}

process.on('message', (count: number) => {
  addChanges(count);
  process.send?.('changed');
});
process.on('disconnect', () => {
  server.close();
  server.closeAllConnections();
});
server.listen(Number(process.argv[4] ?? 0), '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`),
);
