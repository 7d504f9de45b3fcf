import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import type { Item } from '../../contract/model/item.ts';
import type { Transaction } from '../../store/index.ts';
import type { Run } from './sync-context.ts';

/** Time of the last change that brought an item without its reason, in ms since 1970. */
const WANTED_AT = 'reasons_wanted_at';
const REQUEST = { mode: 'selected', window: '7d', limit: 100 } as const;
/** For how long caches keep the list (sheet 3, "Cache-Control seen"). */
const LIST_LIFETIME = 60_000;
const WINDOW = 7 * 24 * 3_600_000;
/** A week has some 20 to 200 selected items. */
const MOST_PAGES = 10;

/**
 * Within a transaction: the changes brought these items, whose reasons only the list has (sheet 3, "Item"). An item that
 * was promoted lies below the first known one in the list, where the usual pass doesn't look.
 */
export function wantReasons(run: Run, brought: readonly Item[], tx: Pick<Transaction, 'mirror'>): void {
  const now = run.now();
  const isListed = ({ discoveredAt }: Item): boolean =>
    discoveredAt === null || now - Date.parse(discoveredAt) < WINDOW;
  const { items } = run.store.queries;
  const isWanted = brought.some((item) => item.reason === null && isListed(item) && items.lacksReason(item.id));
  if (isWanted) tx.mirror.set(WANTED_AT, String(now));
}

/** Fetches missing reasons, once the list can't be older than the change. No validator: something has changed. */
export async function fetchReasons(run: Run): Promise<void> {
  const { mirror } = run.store.queries;
  const wantedAt = mirror.get(WANTED_AT);
  if (wantedAt === null || Math.abs(run.now() - Number(wantedAt)) < LIST_LIFETIME) return;
  await run.fetch(() =>
    run.news.allItems(REQUEST, {
      maxPages: MOST_PAGES,
      onPage: ({ items }: ItemsAnswer) => {
        run.write((tx) => {
          for (const { id, reason } of items) if (reason !== null) tx.items.complete(id, reason);
        });
      },
    }),
  );
  run.write((tx) => {
    if (mirror.get(WANTED_AT) === wantedAt) tx.mirror.set(WANTED_AT, null);
  });
}
