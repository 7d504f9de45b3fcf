import { makeEditions, type EditionKind, type Editions } from './editions.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { makeNews, ownTime, timelineTime, WINDOW, type Item, type News } from './news.ts';
import { DAY, digest, rfc3339, share } from './random.ts';
import { makeStories, type Stories } from './stories.ts';

/** Each way in which a client can disregard the documents. */
export type BreachKind =
  | 'parameters'
  | 'method'
  | 'path'
  | 'never given'
  | 'before its lifetime'
  | 'foreign ETag'
  | 'during Retry-After'
  | 'without gzip';

export interface Breach {
  kind: BreachKind;
  url: string;
  at: number;
}

/** How the service misbehaves at the moment. */
export interface Troubles {
  /** The ledger is being rebuilt: snapshots show this share of the members. */
  snapshotShare: number;
  /** Sync cursors that end before this entry get 400 `invalid_cursor`. */
  invalidBefore: number;
  /** A page of changes with this entry of the ledger fails in this way. */
  failing: Map<number, 'error' | 'no JSON'>;
  /** Everything is 503 until then. */
  unavailableUntil: number;
  /** The connection of these paths is reset. */
  resets: Set<string>;
  /** Bad records stand among the good ones. */
  badRecords: boolean;
}

/** One reading of all pages of a list. */
export interface Sweep {
  query: string;
  from: number;
  /** False while records without an id may stand for any item: then nothing is proved to be missing. */
  isReadable: boolean;
}

export interface Service {
  news: News;
  stories: Stories;
  editions: Editions;
  troubles: Troubles;
  breaches: Breach[];
  requests: number;
  /** The last record of each item that an answer had, and the last reason. */
  toldItems: ReadonlyMap<string, Item & { sourceName: string; toldAt: number }>;
  toldReasons: ReadonlyMap<string, { text: string; at: number }>;
  /** The last body of each story, report and ranking, by path. */
  toldBodies: ReadonlyMap<string, { body: string; at: number; confirmedAt: number }>;
  sweeps: readonly Sweep[];
  /** Starts a new epoch of the ledger: older cursors get 409. */
  rebuildLedger(): void;
  advance(to: number): void;
  answer(request: HttpRequest, origin: string): HttpAnswer | null;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | null;
  constructor(status: number, code: string, retryAfter: number | null = null) {
    super(code);
    [this.status, this.code, this.retryAfter] = [status, code, retryAfter];
  }
}

const invalid = () => new Refusal(400, 'invalid_request');
const oneOf = (values: readonly string[]) => (text: string) => values.includes(text);
const count = (most: number) => (text: string) => /^\d{1,4}$/u.test(text) && Number(text) >= 1 && Number(text) <= most;
const opaque = (text: string) => text.length > 0;
const CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'];

/** The query parameters of each path; others are refused. */
const PARAMETERS: Record<string, Record<string, (text: string) => boolean>> = {
  items: {
    mode: oneOf(['selected', 'all']),
    category: oneOf(CATEGORIES),
    window: oneOf(['24h', '7d']),
    by: oneOf(['timeline', 'published']),
    q: (text) => [...text.trim()].length >= 2 && [...text.trim()].length <= 200,
    limit: count(100),
    cursor: opaque,
  },
  'selected/snapshot': { fields: oneOf(['default', 'minimal']), limit: count(1000), page: opaque },
  'selected/changes': { cursor: opaque, limit: count(100) },
  dailies: { limit: count(180) },
  weeklies: { limit: count(60) },
  monthlies: { limit: count(60) },
};

/** The meaning of an opaque cursor or page token, and the query that it belongs to. */
interface Token {
  query: string;
  epoch: number;
  seq: number;
  time: number;
  id: string;
}

type Query = Record<string, string | undefined>;
interface Made {
  body: object | string;
  lifetime: number;
}

/** The news service of documents 1 and 3, strict with its client, with news until `end`. Time passes with `advance`. */
export function makeService(seed: number, start: number, end: number): Service {
  const news = makeNews(seed, start, end);
  const stories = makeStories(news);
  const editions = makeEditions(news, start - 30 * DAY, end);
  let now = start;
  let epoch = 1;
  const troubles: Troubles = {
    snapshotShare: 1,
    invalidBefore: 0,
    failing: new Map(),
    unavailableUntil: 0,
    resets: new Set(),
    badRecords: false,
  };
  const breaches: Breach[] = [];
  /** Labels, ids and validators that an answer had. */
  const given = new Set<string>();
  const tokens = new Map<string, Token>();
  /** Where stories were merged into: requests for them repeat the headers of the first one. */
  const redirected = new Set<string>();
  const answered = new Map<string, { at: number; lifetime: number }>();
  const toldItems = new Map<string, Item & { sourceName: string; toldAt: number }>();
  const toldReasons = new Map<string, { text: string; at: number }>();
  const toldBodies = new Map<string, { body: string; at: number; confirmedAt: number }>();
  const sweeps: Sweep[] = [];
  /** When the last unreadable records were sent. */
  let badAt = 0;
  const sweepStarts = new Map<string, number>();

  const breach = (kind: BreachKind, url: string) => void breaches.push({ kind, url, at: now });
  const give = (text: string) => (given.add(text), text);
  function token(values: Partial<Token>): string {
    const whole: Token = { query: '', epoch, seq: 0, time: 0, id: '', ...values };
    const text = digest(JSON.stringify(whole), 24);
    tokens.set(text, whole);
    return text;
  }
  function read(text: string, url: string): Token | null {
    const known = tokens.get(text) ?? null;
    if (known === null) breach('never given', url);
    return known;
  }

  function itemRecord(item: Item, origin: string, withReason: boolean) {
    const odd = share(`odd ${item.id}`);
    const lateBy = item.publishedAt !== null && ownTime(item) === item.discoveredAt;
    const reason = withReason ? item.reason : null;
    const record = {
      id: item.id,
      title: item.brokenUntil > now ? undefined : item.title,
      originalTitle: item.originalTitle,
      summary: item.summary,
      source: { name: news.sources[item.source]! },
      links: { original: item.link, aihot: `${origin}/items/${item.id}` },
      publishedAt:
        item.publishedAt === null ? null : odd > 0.99 && lateBy ? item.publishedAt : rfc3339(item.publishedAt),
      discoveredAt: rfc3339(item.discoveredAt),
      category: item.category,
      score: odd < 0.02 && item.score !== null ? String(item.score) : item.score,
      selected: item.selected,
      reason,
      attribution: item.attribution,
    };
    if (record.title !== undefined) {
      toldItems.set(item.id, { ...item, sourceName: record.source.name, toldAt: now });
      if (reason !== null) toldReasons.set(item.id, { text: reason, at: now });
    }
    // Fields without a value are null or absent.
    return share(item.id) < 0.5
      ? record
      : Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
  }

  const bad = (seedText: string): unknown[] => {
    if (!troubles.badRecords || share(seedText) >= 0.5) return [];
    badAt = now;
    return [null, 'text', {}, { id: 5, title: ['no'] }, []];
  };

  function listItems(query: Query, origin: string): Made {
    const { mode = 'selected', window = '7d', by = 'timeline', category = null, limit = '50' } = query;
    const q = query['q']?.trim() ?? null;
    const bound = JSON.stringify([mode, window, by, category, q]);
    const since = now - (window === '24h' ? DAY : WINDOW);
    const key = (item: Item) => (by === 'published' ? (item.publishedAt ?? item.discoveredAt) : timelineTime(item));
    const after = query['cursor'] === undefined ? null : read(query['cursor'], 'items?cursor');
    if (query['cursor'] !== undefined && (after?.query !== bound || after.time < since)) {
      throw new Refusal(400, 'invalid_cursor');
    }
    const from = query['cursor'] === undefined ? now : sweepStarts.get(query['cursor']);
    const wanted = [...news.items.values()]
      .filter((item) => !item.withdrawn && (mode === 'all' || item.member) && key(item) >= since)
      .filter((item) => category === null || item.category === category)
      .filter((item) => q === null || `${item.title} ${item.summary ?? ''}`.toLowerCase().includes(q.toLowerCase()))
      .sort((a, b) => key(b) - key(a) || (a.id < b.id ? -1 : 1))
      .filter((item) => !after || key(item) < after.time || (key(item) === after.time && item.id > after.id));
    const page = wanted.slice(0, Number(limit));
    const hasMore = wanted.length > page.length;
    const last = page.at(-1);
    const nextCursor = hasMore && last ? token({ query: bound, epoch: 0, time: key(last), id: last.id }) : null;
    if (from !== undefined) {
      if (nextCursor === null) sweeps.push({ query: bound, from, isReadable: from > badAt });
      else sweepStarts.set(nextCursor, from);
    }
    const records: unknown[] = page.map((item) => itemRecord(item, origin, true));
    // Nothing promises that an item occurs once.
    if (records.length > 3 && share(`${bound} ${last!.id}`) < 0.3) records.splice(2, 0, records[0]);
    records.push(...bad(`${bound} ${last?.id ?? ''}`));
    const body = {
      schemaVersion: 1,
      query: { mode, category, window, q, by, ordering: by },
      items: records,
      page: { count: records.length, hasMore, nextCursor },
    };
    return { body, lifetime: 60 };
  }

  const watermark = (seq: number) => token({ query: 'changes', seq });

  function snapshot(query: Query, origin: string): Made {
    const { fields = 'default', limit = '500' } = query;
    const page = query['page'] === undefined ? null : read(query['page'], 'snapshot?page');
    const isStale = page?.epoch !== epoch || page.query !== fields;
    if (query['page'] !== undefined && isStale) throw new Refusal(409, 'snapshot_required');
    const seq = page?.seq ?? news.ledger.length;
    const members = [...news.items.values()]
      .filter((item) => item.member && item.id > (page?.id ?? '') && share(`lost ${item.id}`) < troubles.snapshotShare)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const shown = members.slice(0, Number(limit));
    const hasMore = members.length > shown.length;
    const body = {
      asOf: rfc3339(news.ledger.at(seq - 1)?.at ?? start),
      fields,
      cursor: watermark(seq),
      count: shown.length,
      hasMore,
      nextPage: hasMore ? token({ query: fields, seq, id: shown.at(-1)!.id }) : null,
      items: [...shown.map((item) => itemRecord(item, origin, false)), ...bad(`snapshot ${shown.at(-1)?.id ?? ''}`)],
    };
    return { body, lifetime: 300 };
  }

  function changes(query: Query, origin: string): Made {
    if (query['cursor'] === undefined) throw new Refusal(409, 'snapshot_required');
    const cursor = read(query['cursor'], 'changes?cursor');
    if (cursor?.query !== 'changes') throw new Refusal(400, 'invalid_cursor');
    if (cursor.epoch !== epoch) throw new Refusal(409, 'snapshot_required');
    if (cursor.seq < troubles.invalidBefore) throw new Refusal(400, 'invalid_cursor');
    const until = Math.min(cursor.seq + Number(query['limit'] ?? 100), news.ledger.length);
    for (const [entry, failure] of troubles.failing) {
      if (entry < cursor.seq || entry >= until) continue;
      if (failure === 'error') throw new Refusal(500, 'internal_error');
      return { body: '{"fields":"default","changes":[{"op":"up', lifetime: 60 };
    }
    const entries = news.ledger.slice(cursor.seq, until).map(({ id, at }) => {
      // The ledger is joined with the present state: what has left since is a removal, perhaps several times.
      const item = news.items.get(id)!;
      const changedAt = rfc3339(at);
      return item.member
        ? { op: 'upsert', changedAt, item: itemRecord(item, origin, false) }
        : { op: 'remove', changedAt, id };
    });
    const body = {
      fields: 'default',
      cursor: watermark(until),
      count: entries.length,
      hasMore: until < news.ledger.length,
      changes: [...entries, ...(entries.length > 0 ? bad(`changes ${until}`) : [])],
    };
    return { body, lifetime: 60 };
  }

  function reports(kind: EditionKind, label: string | null, query: Query, origin: string): Made {
    const list = editions.list(kind);
    if (label === null) {
      const shown = list.slice(0, Number(query['limit'] ?? (kind === 'dailies' ? 30 : 12)));
      for (const edition of shown) give(`${kind}/${edition.label}`);
      const body = { count: shown.length, items: shown.map((edition) => editions.indexEntry(edition, origin)) };
      return { body, lifetime: kind === 'dailies' ? 60 : 300 };
    }
    const edition = label === 'latest' ? list[0] : list.find((one) => one.label === label);
    if (label !== 'latest' && !given.has(`${kind}/${label}`)) breach('never given', `${kind}/${label}`);
    if (!edition) throw new Refusal(404, 'not_found');
    if (label === 'latest') give(`${kind}/${edition.label}`);
    return {
      body: editions.record(edition, origin, news.sources),
      lifetime: label === 'latest' && kind === 'dailies' ? 60 : 300,
    };
  }

  function topics(origin: string): Made {
    const body = stories.topics(now, origin, news.sources);
    for (const id of JSON.stringify(body).matchAll(/\/story\/([\w-]+)/gu)) give(`stories/${id[1]!}`);
    return { body, lifetime: 60 };
  }

  function story(id: string, origin: string): Made | HttpAnswer {
    const found = stories.byId.get(id);
    if (!given.has(`stories/${id}`)) breach('never given', `stories/${id}`);
    if (!found || !given.has(`stories/${id}`) || found.missingUntil > now) throw new Refusal(404, 'not_found');
    if (found.mergedInto) {
      const location = `/api/v1/stories/${found.mergedInto.publicId}`;
      give(`stories/${found.mergedInto.publicId}`);
      // A client can't know beforehand where it is led.
      answered.delete(location);
      redirected.add(location);
      return { status: 308, headers: { location }, body: '' };
    }
    for (const neighbour of found.neighbours) give(`stories/${neighbour.publicId}`);
    return { body: stories.record(found, origin, news.sources), lifetime: 60 };
  }

  function route(path: string, query: Query, origin: string): Made | HttpAnswer {
    const [first = '', second = null, ...more] = path.split('/');
    if (more.length > 0) throw new Refusal(404, 'not_found');
    if (path === 'items') return listItems(query, origin);
    if (path === 'hot-topics') return topics(origin);
    if (path === 'selected/snapshot') return snapshot(query, origin);
    if (path === 'selected/changes') return changes(query, origin);
    if (path === 'agent') return { body: '# Guide\n\nFor agents.\n', lifetime: 300 };
    if (first === 'stories' && second) return story(second, origin);
    if (first === 'dailies' || first === 'weeklies' || first === 'monthlies')
      return reports(first, second, query, origin);
    throw new Refusal(404, 'not_found');
  }

  /** Refuses what is unknown, repeated, empty or out of bounds. */
  function readQuery(path: string, search: URLSearchParams): Query {
    const query: Query = {};
    const known = PARAMETERS[path] ?? {};
    for (const [name, value] of search) {
      if (query[name] !== undefined || known[name]?.(value) !== true) throw invalid();
      query[name] = value;
    }
    return query;
  }

  function refuse(refusal: Refusal, url: string): HttpAnswer {
    const requestId = digest(`${url} ${now}`);
    const { status, code, retryAfter } = refusal;
    const body = { type: 'about:blank', title: code, status, detail: `${code} for ${url}`, code, requestId };
    return {
      status,
      headers: {
        'content-type': 'application/problem+json',
        'x-request-id': requestId,
        ...(retryAfter !== null && { 'retry-after': String(retryAfter) }),
      },
      body: JSON.stringify(body),
    };
  }

  /** Requests of the same moment were under way already. */
  let silence = { from: Infinity, until: 0 };

  function answerOrThrow({ method, url, headers }: HttpRequest, origin: string): HttpAnswer | null {
    if (now > silence.from && now < silence.until) breach('during Retry-After', url);
    if (!/\b(?:gzip|br)\b/u.test(headers['accept-encoding'] ?? '')) breach('without gzip', url);
    if (method !== 'GET' && method !== 'HEAD') {
      breach('method', url);
      throw new Refusal(405, 'method_not_allowed');
    }
    const { pathname, searchParams } = new URL(url, origin);
    if (!pathname.startsWith('/api/v1/') || pathname.endsWith('/')) {
      breach('path', url);
      throw new Refusal(404, 'not_found');
    }
    const path = decodeURIComponent(pathname.slice('/api/v1/'.length));
    if (troubles.unavailableUntil > now) {
      silence = { from: now, until: troubles.unavailableUntil };
      throw new Refusal(503, 'temporarily_unavailable', Math.ceil((silence.until - now) / 1000));
    }
    if (troubles.resets.has(path)) return null;
    let query: Query;
    try {
      query = readQuery(path, searchParams);
    } catch (error) {
      breach('parameters', url);
      throw error;
    }
    const earlier = answered.get(url);
    const validator = headers['if-none-match'];
    if (earlier && now < earlier.at + earlier.lifetime * 1000) breach('before its lifetime', url);
    const isForeign = validator !== undefined && !given.has(`${url} ${validator}`);
    if (isForeign && !redirected.delete(url)) breach('foreign ETag', url);
    const made = route(path, query, origin);
    if ('status' in made) return made;
    const body = typeof made.body === 'string' ? made.body : JSON.stringify(made.body);
    const etag = `W/"${digest(`${url} ${body}`, 20)}"`;
    give(`${url} ${etag}`);
    answered.set(url, { at: now, lifetime: made.lifetime });
    const told = toldBodies.get(path);
    toldBodies.set(path, { body, at: told?.body === body ? told.at : now, confirmedAt: now });
    const shared = { etag, 'cache-control': `public, s-maxage=${made.lifetime}, stale-while-revalidate=30` };
    if (validator === etag) return { status: 304, headers: shared, body: '' };
    const type = path === 'agent' ? 'text/markdown; charset=utf-8' : 'application/json';
    return { status: 200, headers: { ...shared, 'content-type': type }, body };
  }

  const service: Service = {
    news,
    stories,
    editions,
    troubles,
    breaches,
    requests: 0,
    toldItems,
    toldReasons,
    toldBodies,
    sweeps,
    rebuildLedger: () => void (epoch += 1),
    advance(to) {
      now = Math.max(now, to);
      news.agenda.runUntil(now);
    },
    answer(request, origin) {
      service.requests += 1;
      try {
        return answerOrThrow(request, origin);
      } catch (error) {
        if (error instanceof Refusal) return refuse(error, request.url);
        throw error;
      }
    },
  };
  service.advance(start);
  return service;
}
