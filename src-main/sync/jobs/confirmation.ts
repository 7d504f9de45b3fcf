import { z } from 'zod';
import type { ItemListName } from '../../contract/model/resource.ts';
import type { LostKind } from '../../contract/model/sync-status.ts';
import type { Queries, Store, Transaction, WriteSummary } from '../../store/index.ts';

/** About an answer that would remove implausibly much. `since` is in ms since 1970. */
export interface Doubt {
  since: number;
  stored: number;
  received: number;
  of?: LostKind | undefined;
}

const count = z.int().min(0);
const DOUBT: z.ZodType<Doubt> = z.object({ since: count, stored: count, received: count });

/** A part of what is saved; an answer that lacks more is doubted. */
export const DOUBTED_PART = 0.2;
/** A service that rebuilds its data answers in between, with a part of it. */
const CONFIRM_AFTER = 15 * 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Two answers agree if their sizes differ by no more, as a part of the earlier one. */
const TOLERANCE = 0.05;

export function acceptLosses(resource: ItemListName, store: Store, nowForDeleting: number): WriteSummary {
  return store.transaction((tx) => {
    tx.items.acceptLosses(resource, nowForDeleting);
    saveDoubt(resource, null, tx);
    return tx.summary;
  });
}

export function readDoubt(name: string, mirror: Queries['mirror']): Doubt | null {
  return mirror.json(`${name}_doubt`, DOUBT);
}

export function saveDoubt(name: string, doubt: Doubt | null, { mirror }: Pick<Transaction, 'mirror'>): void {
  mirror.set(`${name}_doubt`, doubt && JSON.stringify(doubt));
}

/** Null if an answer may replace what is saved: it is no implausible loss, or agrees with an earlier one. */
export function doubtAbout(
  isLoss: boolean,
  { saved, received }: { saved: number; received: number },
  earlier: Doubt | null,
  now: number,
): Doubt | null {
  if (!isLoss) return null;
  const agrees = earlier !== null && Math.abs(earlier.received - received) <= earlier.received * TOLERANCE;
  if (!agrees || now < earlier.since) return { since: now, stored: saved, received };
  return now - earlier.since >= CONFIRM_AFTER ? null : earlier;
}

/**
 * Unlike {@link doubtAbout}, time and agreement end no doubt, only an answer that is plausible by what was saved when it
 * began: a service that rebuilds its data repeats the same wrong one for hours. If the ids of some records were
 * unreadable (`hidesIds`), those that seem missing may be among them.
 */
export function lastingDoubt(
  { stored, missing, received }: { stored: number; missing: number; received: number },
  earlier: Doubt | null,
  now: number,
  hidesIds: boolean,
): Doubt | null {
  const before = Math.min(stored, earlier?.stored ?? stored);
  if (missing <= (hidesIds ? 0 : before * DOUBTED_PART)) return null;
  return { since: earlier?.since ?? now, stored: before, received };
}

/** An hour after the last check at first, then after ever longer waits, at most a day. Times are ms since 1970. */
export function isCheckDue({ since, at }: { since: number; at: number }, now: number): boolean {
  return Math.abs(now - at) >= Math.min(DAY, Math.max(HOUR, 3 * (at - since)));
}
