import { z } from 'zod';
import {
  iso,
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
import { type DemoRecord, firstIndex } from '../record.ts';
import type { ChangeLogEntry, DemoState } from '../state.ts';

const fields = z.enum(['default', 'minimal']).default('default');
const snapshotQuery = z.strictObject({
  fields,
  limit: wholeNumber(1, 1000).default(500),
  page: z.string().max(2048).exactOptional(),
});
const changesQuery = z.strictObject({
  limit: wholeNumber(1, 100).default(100),
  cursor: z.string().max(2048).exactOptional(),
});
/** Epoch, watermark of the first page, fields, last id of the page before, share of the set. */
const pageShape = z.tuple([z.literal('p'), z.string(), z.int().min(0), fields, z.string(), z.number()]);

/** Serves `GET /selected/snapshot`: pages by id, with the first page's watermark (observed-2-snapshot). */
export function snapshot(state: DemoState, request: ApiRequest): ApiResponse {
  const query = readQuery(request.search, snapshotQuery);
  const page = query.page === undefined ? null : openPage(state, query.page, query.fields);
  const watermark = page?.watermark ?? state.changeLog.length;
  const share = page?.share ?? state.odd.snapshotShare(request.now);
  const set = state.itemIndex.listSelected();
  const records = share === 1 ? set : set.slice(0, Math.floor(set.length * share));
  const from = page === null ? 0 : firstIndex(records, ({ id }) => id > page.after);
  const shown = records.slice(from, from + query.limit);
  const hasMore = from + shown.length < records.length;
  const last = shown.at(-1);
  const nextPage =
    hasMore && last ? sealToken(['p', state.changeLog.epoch, watermark, query.fields, last.id, share]) : null;
  return json(
    {
      asOf: iso(state.changeLog.timeAt(watermark) || state.startsAt),
      fields: query.fields,
      cursor: state.changeLog.cursorAt(watermark),
      count: shown.length,
      hasMore,
      nextPage,
      items: shown.map((record) => view(state, record, query.fields)),
    },
    300,
  );
}

/** Serves `GET /selected/changes`. */
export function changes(state: DemoState, request: ApiRequest): ApiResponse {
  const query = readQuery(request.search, changesQuery);
  const position = query.cursor === undefined ? null : state.changeLog.positionOf(query.cursor);
  if (position === null) {
    throw new Problem('snapshot_required', 'This cursor cannot be continued. Read the snapshot again.');
  }
  const entries = state.changeLog.slice(position, query.limit);
  const reached = position + entries.length;
  return json(
    {
      fields: 'default',
      cursor: state.changeLog.cursorAt(reached),
      count: entries.length,
      hasMore: reached < state.changeLog.length,
      changes: entries.map((entry) => change(state, entry)),
    },
    60,
  );
}

export function withoutReason(item: ServedItem): ServedItem {
  const { reason: _, ...rest } = item;
  return rest;
}

function openPage(
  state: DemoState,
  token: string,
  wanted: string,
): { watermark: number; after: string; share: number } {
  const page = openToken(token, pageShape);
  if (page === null || page[1] !== state.changeLog.epoch || page[3] !== wanted) {
    throw new Problem('snapshot_required', 'This page token is not good any more. Start the snapshot again.');
  }
  return { watermark: page[2], after: page[4], share: page[5] };
}

function view(state: DemoState, record: DemoRecord, wanted: 'default' | 'minimal'): object {
  const item = withoutReason(state.serve(record));
  if (wanted === 'default') return item;
  const { summary: _summary, originalTitle: _originalTitle, links, ...rest } = item;
  return { ...rest, links: { aihot: links.aihot } };
}

/** Sends an item as it is now, not as it was then. One removed later is sent as a removal here and at its own place. */
function change(state: DemoState, { op, id, changedAt }: ChangeLogEntry): object {
  const at = iso(changedAt);
  const record = state.itemIndex.get(id);
  const present = record !== undefined && record.selected && !record.withdrawn;
  if (op === 'remove' || !present) return { op: 'remove', changedAt: at, id };
  return { op: 'upsert', changedAt: at, item: withoutReason(state.serve(record)) };
}
