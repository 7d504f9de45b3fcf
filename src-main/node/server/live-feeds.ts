import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { oneOf } from '../../contract/refs.ts';
import { exportedFile, type ExportSource } from '../../common/exported-file.ts';
import { MOST_REPORTS_IN_PART, type FeedFormat, type FeedLinks } from '../../contract/model/export.ts';
import { REPORT_KINDS, type ReportKind } from '../../contract/model/report.ts';
import { callOf, type Call, type Wire } from '../../contract/wire.ts';
import type { Feed } from '../feeds.ts';
import { sameSecret } from './request-authenticator.ts';
import { answer, answerText, HEADERS } from './responses.ts';

export interface LiveFeeds {
  saved(): Promise<readonly Feed[]>;
  /** PNG. */
  icon(): Promise<Buffer>;
}

interface FeedFile {
  body: string | Buffer;
  type: string;
}

/** An entry of a report is the whole report, so there are fewer of these: one part. */
const MOST_ITEMS = 200;
const PATH = /^\/feed\/([\w-]{43})\/(atom\.xml|feed\.json|icon\.png)$/;
const FORMATS: Readonly<Record<string, { format: FeedFormat; type: string }>> = {
  'atom.xml': { format: 'atom', type: 'application/atom+xml; charset=utf-8' },
  'feed.json': { format: 'jsonfeed', type: 'application/feed+json; charset=utf-8' },
};

/**
 * Responds to a feed reader, which has neither cookie nor key: the token in the path opens its feed and nothing else. Unknown
 * and revoked ones get the same answer. Returns false for these.
 */
export async function answerFeed(
  { wire, feeds }: { wire: Wire; feeds?: LiveFeeds },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (request.method !== 'GET') {
    answerText(response, 405, 'Allowed methods: GET.', { allow: 'GET' });
    return false;
  }
  const [, token, name = ''] = PATH.exec(request.url ?? '') ?? [];
  const known = token === undefined ? [] : ((await feeds?.saved()) ?? []);
  // All are compared, so that the time says nothing about their number.
  const [feed] = known.filter((one) => sameSecret(token ?? '', one.token));
  const origin = `http://${request.headers.host ?? ''}`;
  const file = feeds && feed ? await fileOf(callOf(wire), feeds, feed, name, origin) : null;
  if (!file) {
    answerText(response, 404, 'There is no such feed.');
    return false;
  }
  const etag = `"${createHash('sha256').update(file.body).digest('base64url')}"`;
  const headers = { 'content-type': file.type, 'cache-control': 'private, no-cache', etag };
  if (!isCurrent(request, etag)) answer(response, 200, file.body, headers);
  else response.writeHead(304, { ...HEADERS, ...headers }).end();
  return true;
}

function isCurrent({ headers }: IncomingMessage, etag: string): boolean {
  const given = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return given.includes(etag) || given.includes('*');
}

/** Null if its saved search was removed. */
async function fileOf(
  call: Call,
  feeds: LiveFeeds,
  feed: Feed,
  name: string,
  origin: string,
): Promise<FeedFile | null> {
  const { format, type } = FORMATS[name] ?? {};
  if (format === undefined || type === undefined) return { body: await feeds.icon(), type: 'image/png' };
  if (feed.search !== null) {
    const { searches } = await call('saved.list', {});
    if (!searches.some(({ id }) => id === feed.search?.id)) return null;
  }
  const base = `${origin}/feed/${feed.token}`;
  const links = { self: `${base}/${name}`, home: `${origin}/`, icon: `${base}/icon.png` };
  const kind = oneOf(REPORT_KINDS, feed.of);
  const source = kind ? reportsOf(call, kind, feed, format, links) : itemsOf(call, feed, format, links);
  return { body: await readWhole(source), type };
}

function itemsOf(call: Call, { of, search, addedAt }: Feed, format: FeedFormat, links: FeedLinks): ExportSource {
  const query = {
    scope: of === 'selected' ? of : 'all',
    window: 'any',
    state: of === 'starred' ? of : 'any',
    ...(search !== null && { saved: search.id }),
  } as const;
  return {
    // Not now, because an empty feed must not change.
    frame: (updatedAt) => call('items.exportFrame', { query, format, links, updatedAt: updatedAt ?? addedAt }),
    part: (cursor, limit) => call('items.export', { query, format, limit, ...(cursor !== null && { cursor }) }),
    limit: MOST_ITEMS,
  };
}

function reportsOf(
  call: Call,
  kind: ReportKind,
  { addedAt }: Feed,
  format: FeedFormat,
  links: FeedLinks,
): ExportSource {
  return {
    frame: (updatedAt) => call('reports.feedFrame', { kind, format, links, updatedAt: updatedAt ?? addedAt }),
    part: async () => {
      const { lines } = await call('reports.index', { kind });
      const labels = lines.filter(({ stored }) => stored).map(({ label }) => label);
      const newest = labels.slice(0, MOST_REPORTS_IN_PART);
      if (newest.length === 0) return { text: '', count: 0, left: 0, updatedAt: null, next: null };
      return { ...(await call('reports.feed', { kind, labels: newest, format })), next: null };
    },
  };
}

async function readWhole(source: ExportSource): Promise<string> {
  const texts = exportedFile(source);
  const read: string[] = [];
  for (;;) {
    const next = await texts.next();
    if (next.done === true) return [next.value.head, ...read.slice(1)].join('');
    read.push(next.value);
  }
}
