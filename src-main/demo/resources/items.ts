import { z } from 'zod';
import { KNOWN_CATEGORIES } from '../../contract/model/item.ts';
import { mix } from '../random.ts';
import {
  json,
  type ApiResponse,
  Problem,
  readQuery,
  wholeNumber,
  type ApiRequest,
  openToken,
  sealToken,
} from '../http.ts';
import type { ServedItem } from '../options.ts';
import type { DemoRecord } from '../record.ts';
import type { DemoState } from '../state.ts';

const HOUR = 3_600_000;
const WINDOWS = { '24h': 24 * HOUR, '7d': 168 * HOUR };

const itemsQuery = z.strictObject({
  mode: z.enum(['selected', 'all']).default('selected'),
  category: z.enum(KNOWN_CATEGORIES).nullable().default(null),
  window: z.enum(['24h', '7d']).default('7d'),
  by: z.enum(['timeline', 'published']).default('timeline'),
  q: z
    .string()
    .transform((text) => text.trim())
    .refine((text) => codePoints(text) >= 2 && codePoints(text) <= 200, 'must have 2 to 200 characters')
    .nullable()
    .default(null),
  limit: wholeNumber(1, 100).default(50),
  cursor: z.string().max(2048).exactOptional(),
});

type ItemsQuery = z.infer<typeof itemsQuery>;

/** Marker, hash of the query, time of the last row in its order, and that row's id. */
const cursorShape = z.tuple([z.literal('i'), z.number(), z.number(), z.string()]);

function codePoints(text: string): number {
  return Array.from(text).length;
}

interface Row {
  record: DemoRecord;
  at: number;
}

/** Serves `GET /items` (document 1 section 4.1). */
export function items(state: DemoState, request: ApiRequest): ApiResponse {
  // The database of the real service fails on it.
  if (request.search.get('q')?.includes('\0')) {
    throw new Problem('temporarily_unavailable', 'The service cannot answer at the moment.', { 'retry-after': '5' });
  }
  const query = readQuery(request.search, itemsQuery);
  const opensAt = request.now - WINDOWS[query.window];
  const rows = matchingRows(state, query, opensAt, request.now);
  const from = query.cursor === undefined ? 0 : startAfter(rows, query, query.cursor, opensAt);
  const shown = rows.slice(from, from + query.limit);
  const last = shown.at(-1);
  const hasMore = from + shown.length < rows.length;
  const nextCursor = hasMore && last ? sealToken(['i', identity(query), last.at, last.record.id]) : null;
  const { mode, category, window, q, by } = query;
  return json(
    {
      schemaVersion: 1,
      query: { mode, category, window, q, by, ordering: `${by}_desc` },
      items: shown.map(({ record }) => state.serve(record)),
      page: { count: shown.length, hasMore, nextCursor },
    },
    60,
  );
}

function matchingRows(state: DemoState, query: ItemsQuery, opensAt: number, now: number): Row[] {
  const words = query.q?.toLowerCase().split(/\s+/) ?? [];
  return state.itemIndex
    .listDiscovered(opensAt, now + 1)
    .filter((record) => query.mode === 'all' || record.selected)
    .map((record) => ({
      record,
      at: query.by === 'timeline' ? record.timelineAt : (record.publishedAt ?? record.discoveredAt),
    }))
    .filter(({ at }) => at >= opensAt)
    .filter(({ record }) => query.category === null || state.serve(record).category === query.category)
    .filter(({ record }) => words.length === 0 || containsAll(state, record, words))
    .sort(newestFirst);
}

function containsAll(state: DemoState, record: DemoRecord, words: string[]): boolean {
  // A test may have overridden any field.
  const { title, originalTitle, summary, source } = state.serve(record) as Partial<ServedItem>;
  const text = [title, originalTitle, summary, source?.name].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

function newestFirst(a: Row, b: Row): number {
  return b.at - a.at || (a.record.id < b.record.id ? -1 : 1);
}

function startAfter(rows: Row[], query: ItemsQuery, cursor: string, opensAt: number): number {
  const opened = openToken(cursor, cursorShape);
  if (opened === null || opened[1] !== identity(query))
    throw new Problem('invalid_cursor', 'This cursor belongs to another query.');
  const [, , at, id] = opened;
  if (at < opensAt)
    throw new Problem('invalid_cursor', 'This cursor has left the window. Start again from the first page.');
  const from = rows.findIndex((row) => row.at < at || (row.at === at && row.record.id > id));
  return from < 0 ? rows.length : from;
}

/** Binds a cursor to everything but `limit`. */
function identity({ mode, window, by, category, q }: ItemsQuery): number {
  return mix(...Buffer.from(JSON.stringify([mode, window, by, category, q])));
}
