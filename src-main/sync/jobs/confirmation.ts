import { DAY, HOUR } from '../../common/time.ts';
import type { ItemListName } from '../../contract/model/resource.ts';
import type { LostKind } from '../../contract/model/sync-status.ts';
import type { Doubt, Store, WriteSummary } from '../../store/index.ts';

/** Parts that an answer lacks. With `of`, neither a second answer nor time confirms it, only the reader. */
export interface Loss {
  noun: string;
  saved: number;
  received: number;
  of?: LostKind;
}

/** A part of what is saved; an answer that lacks more is doubted. */
export const DOUBTED_PART = 0.2;
/** A service that rebuilds its data answers in between, with a part of it. `old` members are too old for the list of items. */
const CONFIRM_AFTER = { parts: 15 * 60_000, left: HOUR, old: DAY };
/** Two answers agree if their sizes differ by no more, as a part of the earlier one. */
const TOLERANCE = 0.05;

export function acceptLosses(resource: ItemListName, store: Store, nowForDeleting: number): WriteSummary {
  return store.transaction((tx) => {
    tx.items.acceptLosses(resource, nowForDeleting);
    tx.fetches.put(resource, { doubt: null });
    return tx.summary;
  });
}

export function emptiedOf(noun: string, saved: number, received: number): Loss | null {
  return received === 0 && saved > 0 ? { noun, saved, received } : null;
}

export function isForReader({ of }: Loss): boolean {
  return of !== undefined;
}

/** Time alone confirms no loss: another answer must agree. A `since` after `now` is of a clock that was set back. */
export function isConfirmed(lost: keyof typeof CONFIRM_AFTER, agrees: boolean, since: number, now: number): boolean {
  return agrees && now - since >= CONFIRM_AFTER[lost];
}

/** Null if an answer may replace what is saved although it lacks this: it agrees with an earlier one. */
export function doubtAbout(loss: Loss, earlier: Doubt | null, now: number): Doubt | null {
  const { saved: stored, received, of } = loss;
  const since = Math.min(earlier?.since ?? now, now);
  if (isForReader(loss)) return { since, stored, received, of };
  const agrees = earlier !== null && Math.abs(earlier.received - received) <= earlier.received * TOLERANCE;
  if (!agrees || since !== earlier.since) return { since: now, stored, received };
  return isConfirmed('parts', agrees, since, now) ? null : earlier;
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
export function checkDueAt({ since, at }: { since: number; at: number }): number {
  return at + Math.min(DAY, Math.max(HOUR, 3 * (at - since)));
}

export function isCheckDue(check: { since: number; at: number }, now: number): boolean {
  return Math.abs(now - check.at) >= checkDueAt(check) - check.at;
}
