import type { Args, MethodName, Reply } from '../../../src-main/contract/methods.ts';
import type { ItemAction, ItemStatus } from '../../../src-main/contract/model/item.ts';
import type { ChangeableItem, LiveAnswers } from '../../api/live.ts';

interface Wanted {
  action: ItemAction;
  isMarked: (id: string) => boolean;
  /** True if all items that are folded into a row are marked with it. */
  withFolded?: boolean;
}

export interface Marked {
  readonly changed: number;
  /** Null if nothing was changed. */
  readonly takeBack: (() => Promise<Reply<{ restored: number }>>) | null;
}

/** Marks items, and takes it back: both are shown at once wherever the items are, and both end if they fail. */
export async function markItems<M extends Extract<MethodName, 'items.mark' | 'items.markAllRead'>>(
  live: Pick<LiveAnswers, 'change'>,
  { action, isMarked, withFolded = false }: Wanted,
  method: M,
  args: Args<M>,
): Promise<Reply<Marked>> {
  const now = new Date().toISOString();
  const before = new Map<string, Pick<ChangeableItem, 'state' | 'folded'>>();
  const marked = <T extends ChangeableItem>(item: T): T => {
    if (!isMarked(item.id)) return item;
    const { state, folded } = item;
    if (!before.has(item.id)) before.set(item.id, { state, ...(folded && { folded }) });
    return {
      ...item,
      state: statusAfter(state, action, now),
      ...(folded && withFolded && { folded: { ...folded, unread: 0 } }),
    };
  };
  const unmarked = <T extends ChangeableItem>(item: T): T => ({ ...item, ...before.get(item.id) });
  const reply: Reply<{ changed: number; undo: string | null }> = await live.change({ item: marked }, method, args);
  if (!reply.ok) return reply;
  const { changed, undo } = reply.value;
  const takeBack =
    undo === null
      ? null
      : () =>
          live.change({ item: (item) => (before.has(item.id) ? unmarked(item) : item) }, 'items.undoMark', { undo });
  return { ok: true, value: { changed, takeBack } };
}

function statusAfter(status: ItemStatus, action: ItemAction, now: string): ItemStatus {
  switch (action) {
    case 'read':
      return { ...status, readAt: status.readAt ?? now };
    case 'unread':
      return { ...status, readAt: null };
    case 'star':
      return { ...status, starredAt: status.starredAt ?? now };
    case 'unstar':
      return { ...status, starredAt: null };
  }
}
