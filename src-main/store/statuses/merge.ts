/** Merges statuses of another copy of user.db, or of another machine. Times are ms since 1970. */
import { addressReadAt, markAddressUnread } from '../items/addresses.ts';
import type { Tx } from '../tx.ts';
import { markAddress } from './actions.ts';
import { beginAction, findStatus, NO_STATUS, putStatus, type StatusRow } from './copy.ts';

interface StatusKey {
  /** The service; missing for this one. */
  mirror?: string;
  item_id: string;
}

/** A status of another machine, of any service; what is left out stays. */
export type CarriedStatus = Required<StatusKey> & Partial<StatusRow>;

/** Clears none here; of two times the earlier one is kept. Returns for each row whether it changed. */
export function mergeStatuses(
  tx: Tx,
  rows: readonly (StatusKey & Pick<StatusRow, 'read_at' | 'starred_at'>)[],
): boolean[] {
  return saveAll(tx, rows, (here, { read_at, starred_at }) => ({
    read_at: earlier(here.read_at, read_at),
    starred_at: earlier(here.starred_at, starred_at),
  }));
}

/** Also marks the items of the citation's address as read. */
export function mergeAddress(tx: Tx, address: string, readAt: number): boolean {
  const here = addressReadAt(tx.db, address);
  if (here !== null && here <= readAt) return false;
  if (here !== null) markAddressUnread(tx, address);
  markAddress(tx, address, true, readAt);
  return true;
}

/** Merges items that were marked as unread elsewhere, which don't count as read because of their age. */
export function mergeUnread(tx: Tx, rows: readonly (StatusKey & { marked_at: number })[]): boolean[] {
  return saveAll(tx, rows, (here, { marked_at }) => ({ marked_at: earlier(here.marked_at, marked_at) }));
}

/** Sets what another machine marked (docs/decisions/131), also to nothing. Returns the items of this service that changed. */
export function carryStatuses(tx: Tx, rows: readonly CarriedStatus[]): string[] {
  const changed = saveAll(tx, rows, (_here, { mirror: _, item_id: __, ...status }) => status);
  return rows.flatMap(({ mirror, item_id: id }, at) => (changed[at] && mirror === tx.kept.service ? [id] : []));
}

function saveAll<R extends StatusKey>(
  tx: Tx,
  rows: readonly R[],
  merge: (here: StatusRow, row: R) => Partial<StatusRow>,
): boolean[] {
  let sequence: number | null = null;
  return rows.map((row) => {
    const { mirror: service = tx.kept.service, item_id: id } = row;
    const here = findStatus(tx.db, service, id) ?? NO_STATUS;
    const status = { ...here, ...merge(here, row) };
    if (
      status.read_at === here.read_at &&
      status.starred_at === here.starred_at &&
      status.marked_at === here.marked_at
    ) {
      return false;
    }
    sequence ??= beginAction(tx);
    putStatus(tx, { service, id }, here, status, sequence);
    return true;
  });
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
