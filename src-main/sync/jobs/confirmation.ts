import { z } from 'zod';
import type { ItemListName } from '../../contract/model/resource.ts';
import type { LostKind } from '../../contract/model/sync-status.ts';
import type { Queries, Store, Transaction, WriteSummary } from '../../store/index.ts';

/** An implausible answer that waits to be confirmed. Times are ms since 1970. */
export interface Doubt {
  since: number;
  /** The number of saved records that the answer would have replaced. */
  stored: number;
  /** The number of records in the answer. */
  received: number;
  /** Default: records. */
  of?: LostKind | undefined;
}

const count = z.int().min(0);
const DOUBT: z.ZodType<Doubt> = z.object({ since: count, stored: count, received: count });

/** At least this part of what is saved must be missing before an answer is doubted. */
export const DOUBTED_PART = 0.2;
/** A second answer confirms the first one after this time. A service that rebuilds its data answers in between. */
const CONFIRM_AFTER = 15 * 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Two answers agree if their sizes differ by no more than this part. */
const TOLERANCE = 0.05;

/** As the reader decided: what a snapshot or a list lacked has left it. Returns what was changed. */
export function acceptLosses(resource: ItemListName, store: Store, expiryTime: number): WriteSummary {
  return store.transaction((tx) => {
    tx.items.acceptLosses(resource, expiryTime);
    saveDoubt(resource, null, tx);
    return tx.summary;
  });
}

/** The doubt saved under this name: that of a resource of the news, or of a report. */
export function savedDoubt(name: string, mirror: Queries['mirror']): Doubt | null {
  return mirror.json(`${name}_doubt`, DOUBT);
}

/** Within a transaction: saves a doubt, or that there is none. */
export function saveDoubt(name: string, doubt: Doubt | null, { mirror }: Pick<Transaction, 'mirror'>): void {
  mirror.set(`${name}_doubt`, doubt && JSON.stringify(doubt));
}

/**
 * Decides whether an answer may remove the `missing` ones of `stored` records. Null if so: it is plausible, or agrees
 * with an earlier answer. Otherwise the doubt to save; nothing is removed, and the service is asked again later.
 */
export function doubtAbout(
  { stored, missing, received }: { stored: number; missing: number; received: number },
  earlier: Doubt | null,
  now: number,
  doubtedPart = DOUBTED_PART,
): Doubt | null {
  if (missing <= stored * doubtedPart) return null;
  const agrees = earlier !== null && Math.abs(earlier.received - received) <= earlier.received * TOLERANCE;
  if (!agrees || now < earlier.since) return { since: now, stored, received };
  return now - earlier.since >= CONFIRM_AFTER ? null : earlier;
}

/**
 * Like {@link doubtAbout}, but neither repetition nor time confirms an answer: a service that rebuilds its data gives the
 * same wrong one for hours. The doubt lasts until an answer is plausible, by what was saved when it began: what is added
 * meanwhile doesn't make the loss smaller. An answer that hides ids (`hidesIds`) proves no absence, so nothing may be missing.
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

/**
 * True if it is time to ask again about a doubt that lasts since `since`, and was last asked about `at` (ms since 1970): after an
 * hour, then ever less often, at least once a day.
 */
export function isCheckDue({ since, at }: { since: number; at: number }, now: number): boolean {
  return Math.abs(now - at) >= Math.min(DAY, Math.max(HOUR, 3 * (at - since)));
}
