import { z } from 'zod';
import type { Answer, Fresh } from '../../clients/http/client.ts';
import type { StoredPage } from '../../clients/news/client.ts';
import type { ItemsAnswer, ItemsRequest } from '../../clients/news/schemas.ts';
import type { Transaction } from '../../store/index.ts';
import { hasCode, isOfOneRecord } from './record-failures.ts';
import type { SyncContext } from './sync-context.ts';

export const ITEMS_REQUEST = { mode: 'all', limit: 100 } as const;

const TAIL = 'items_tail';
/** `at` is in ms since 1970, `cursor` null for the first page. */
const TAIL_SHAPE = z.object({
  at: z.int().min(0),
  cursor: z.string().nullable(),
  ids: z.array(z.string()),
});

const HOUR = 3_600_000;
/** A program that syncs every few hours checks each time. */
const LOOK_EVERY = 3 * HOUR;
/** Covers what leaves the list before the next whole pass, and before the next look after a long pause. */
const LEAVES_WITHIN = 36 * HOUR;
/** Items of the last days may be listed far above their age. */
const MAX_PAGES = 5;

/** Document 1 section 4.1. */
const WINDOW = 7 * 24 * HOUR;
/** Shortly before an item leaves the list, its absence proves nothing: clocks and caches may be behind. */
const UNCERTAIN = 10 * 60_000;

/** Unselected items are listed if both of their times are after this, in ms since 1970. */
export function listedSince(context: SyncContext): number {
  return startOfList(latestNow(context));
}

export function startOfList(now: number): number {
  return now - WINDOW + UNCERTAIN;
}

/** The later of both clocks: by one that is behind, items that fell out of the window would look withdrawn. */
export function latestNow(context: SyncContext): number {
  return Math.max(context.now(), context.serviceNow);
}

export function saveTail(pages: readonly StoredPage[], context: SyncContext, tx: Pick<Transaction, 'mirror'>): void {
  const leaving = leavingItems(context);
  const first = pages.findIndex(({ ids }) => ids.some((id) => leaving.has(id)));
  const from = Math.max(first, pages.length - MAX_PAGES);
  const ids = first < 0 ? [] : pages.slice(from).flatMap((page) => page.ids.filter((id) => leaving.has(id)));
  const cursor = pages[from - 1]?.nextCursor ?? null;
  tx.mirror.set(TAIL, JSON.stringify({ at: context.now(), cursor, ids } satisfies z.input<typeof TAIL_SHAPE>));
}

/** Pages of the list by their cursor. */
export type TailPages = Map<string, Fresh<ItemsAnswer>>;

/**
 * Checks the end of the list between two whole passes, because withdrawals there can't be seen later. What it receives
 * is added to `pages`.
 */
export async function lacksTail(context: SyncContext, pages: TailPages): Promise<boolean> {
  const tail = context.store.queries.mirror.json(TAIL, TAIL_SHAPE);
  if (tail === null || Math.abs(context.now() - tail.at) < LOOK_EVERY || expectedOf(tail, context).length === 0)
    return false;
  if (tail.cursor === null) return true;
  try {
    const seen = await readFrom(tail.cursor, context, pages);
    const isMissing = expectedOf(tail, context).some((id) => !seen.has(id));
    if (!isMissing) saveLook(tail, context);
    return isMissing;
  } catch (error) {
    if (hasCode(error, 'invalid_cursor')) return true;
    if (!isOfOneRecord(error)) throw error;
    context.recordMissed('the end of the list', error);
    saveLook(tail, context);
    return false;
  }
}

function saveLook(tail: z.output<typeof TAIL_SHAPE>, context: SyncContext): void {
  context.write((tx) => tx.mirror.set(TAIL, JSON.stringify({ ...tail, at: context.now() })));
}

async function readFrom(cursor: string, context: SyncContext, pages: TailPages): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  let from: string | null = cursor;
  while (from !== null && pages.size < 2 * MAX_PAGES) {
    const request: ItemsRequest = { ...ITEMS_REQUEST, cursor: from };
    const answer: Answer<ItemsAnswer> = await context.fetch(() => context.news.items(request));
    if (answer.kind === 'notModified') break;
    pages.set(from, answer);
    const { items, skipped, nextCursor } = answer.value;
    const saved = context.store.queries.items;
    for (const { id } of items) seen.add(id);
    for (const { id } of skipped) if (id) seen.add(id);
    context.write((tx) => {
      tx.items.upsertAll(
        items.filter((item) => !context.isTooOld(item) || saved.isSavedOrKept(item.id)),
        { kind: 'listed' },
      );
    });
    from = nextCursor;
  }
  return seen;
}

function expectedOf({ ids }: z.output<typeof TAIL_SHAPE>, context: SyncContext): string[] {
  const saved = new Set(context.store.queries.items.findListedSince(listedSince(context), latestNow(context)));
  return ids.filter((id) => saved.has(id));
}

function leavingItems(context: SyncContext): Set<string> {
  const { items } = context.store.queries;
  const now = latestNow(context);
  const all = new Set(items.findListedSince(listedSince(context), now));
  for (const id of items.findListedSince(now - WINDOW + LEAVES_WITHIN, now)) all.delete(id);
  return all;
}
