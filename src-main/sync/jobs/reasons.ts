import { z } from 'zod';
import type { FirstPage } from '../../clients/news/client.ts';
import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import type { Item } from '../../contract/model/item.ts';
import type { Transaction } from '../../store/index.ts';
import type { SyncContext } from './sync-context.ts';

const WANTED_AT = 'reasons_wanted_at';
const REQUEST = { mode: 'selected', window: '7d', limit: 100 } as const;
const FIRST_PAGE = 'reasons_first_page';
const FIRST_PAGE_SHAPE = z.object({
  validator: z.string(),
  ids: z.array(z.string()),
  nextCursor: z.string().nullable(),
});
/** Caches keep the list this long (observed-7-items). */
const LIST_LIFETIME = 60_000;
const WINDOW = 7 * 24 * 3_600_000;
/** A week has some 20 to 200 selected items. */
const MAX_PAGES = 10;

/**
 * Remembers that items came without the reason for their selection: changes don't have it, only the list, which
 * {@link fetchReasons} reads once caches have it (observed-1-reason).
 */
export function wantReasons(context: SyncContext, brought: readonly Item[], tx: Pick<Transaction, 'mirror'>): void {
  const now = context.now();
  const isListed = ({ discoveredAt }: Item): boolean =>
    discoveredAt === null || now - Date.parse(discoveredAt) < WINDOW;
  const { items } = context.store.queries;
  const isWanted = brought.some((item) => item.reason === null && isListed(item) && items.lacksReason(item.id));
  if (isWanted) tx.mirror.set(WANTED_AT, String(now));
}

export async function fetchReasons(context: SyncContext): Promise<void> {
  const { mirror, items: saved } = context.store.queries;
  const wantedAt = mirror.get(WANTED_AT);
  if (wantedAt === null || Math.abs(context.now() - Number(wantedAt)) < LIST_LIFETIME) return;
  const first = mirror.json(FIRST_PAGE, FIRST_PAGE_SHAPE);
  // The list may have had an item before its change was read.
  const isSaved = first !== null && !first.ids.some((id) => saved.lacksReason(id));
  await context.fetch(() =>
    context.news.allItems(REQUEST, {
      maxPages: MAX_PAGES,
      validator: isSaved ? first.validator : undefined,
      unchanged: () => first,
      onPage: (page: ItemsAnswer, head: FirstPage | null) => {
        const reasons = page.items.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }]));
        context.write((tx) => {
          for (const { id, reason } of reasons) tx.items.complete(id, reason);
          if (head) tx.mirror.set(FIRST_PAGE, firstPage(page, head.validator, reasons));
        });
      },
    }),
  );
  context.write((tx) => {
    if (mirror.get(WANTED_AT) === wantedAt) tx.mirror.set(WANTED_AT, null);
  });
}

function firstPage(
  { contradicts, nextCursor }: ItemsAnswer,
  validator: string | null,
  reasons: readonly { id: string }[],
): string | null {
  if (validator === null || contradicts) return null;
  const ids = reasons.map(({ id }) => id);
  return JSON.stringify({ validator, ids, nextCursor } satisfies z.input<typeof FIRST_PAGE_SHAPE>);
}
