import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Item } from '../../contract/model/item.ts';
import type { Doubt, Queries, Transaction } from '../../store/index.ts';
import { DOUBTED_PART, isCheckDue } from './confirmation.ts';
import { WALKED_AT } from './items.ts';
import { listedSince, startOfList } from './items-tail.ts';
import { backoffAfter, isOfOneRecord } from './record-failures.ts';
import type { SyncContext } from './sync-context.ts';

/** Set while items that a snapshot lacked are parked or the list disagrees with the set, and after unreadable changes. */
const LOSSES = 'selected_losses';
const EARLY = 'selected_early_snapshot';
const UNREADABLE = 'selected_unreadable_changes';

const count = z.int().min(0);
const losses = z.object({
  since: count,
  at: count,
  contradicted: z.boolean(),
  unreadable: z.boolean().exactOptional(),
});
const early = z.object({ at: count, taken: count });
const unreadable = z.object({ since: count, failures: count });

type Tx = Pick<Transaction, 'mirror' | 'items'>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Both must be reached before a snapshot replaces the changes. */
const FAILURES = 3;
const FAILING_FOR = MINUTE;
const FIRST_WAIT = 10 * MINUTE;
const MAX_WAIT = DAY;
const FORGOTTEN_AFTER = 2 * DAY;

/** The first one always leads to a snapshot; the others don't concern the changes. */
const NOT_OF_CHANGES = new Set<ErrorCode>([
  'snapshot_required',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'temporarily_unavailable',
  'timeout',
  'unreachable',
]);

export function isSnapshotDue(context: SyncContext): boolean {
  const known = context.store.queries.mirror.json(LOSSES, losses);
  const isAll = context.urgency === 'all';
  if (anyParked(context)) return known === null || isAll || isDue(known, context);
  if (!isAll && (known === null || !isDue(known, context))) return false;
  if (known?.unreadable) return isAll || mayBeEarly(context);
  const agrees = agreesWithList(context);
  if (agrees === true && known !== null) context.write((tx) => tx.mirror.set(LOSSES, null));
  return agrees === false;
}

function isDue(known: z.infer<typeof losses>, context: SyncContext): boolean {
  return isCheckDue(known, context.now()) || (known.contradicted && mayBeEarly(context));
}

function anyParked({ store }: SyncContext): boolean {
  const { items } = store.queries;
  return items.countParked('member') + items.countParked('left') + items.countParked('old') > 0;
}

function agreesWithList(context: SyncContext): boolean | null {
  const { items, mirror } = context.store.queries;
  if (mirror.get(WALKED_AT) === null) return null;
  const { marked, lacking } = items.countMarkedSince(listedSince(context));
  return lacking <= marked * DOUBTED_PART;
}

export function doubtAboutSet({ mirror, items }: Pick<Queries, 'mirror' | 'items'>, now: number): Doubt | null {
  const known = mirror.json(LOSSES, losses);
  if (known === null || mirror.get(WALKED_AT) === null) return null;
  const { marked, lacking } = items.countMarkedSince(startOfList(now));
  if (lacking <= marked * DOUBTED_PART) return null;
  return { since: known.since, stored: marked, received: marked - lacking, of: 'marked' };
}

export function recordFailedCheck(context: SyncContext): void {
  const at = context.now();
  const known = context.store.queries.mirror.json(LOSSES, losses);
  context.write((tx) => {
    if (known?.contradicted || known?.unreadable) recordEarlySnapshot(context, tx);
    tx.mirror.set(LOSSES, JSON.stringify({ since: known?.since ?? at, at, contradicted: false }));
  });
}

/**
 * Call it with the last page of a snapshot; `confirms`: it proves what it lacks. If another one, an hour later, lacks the
 * same items, the list decides about them; those too old for it are given up after a day.
 */
export function recordLosses(
  context: SyncContext,
  { newlyMissing, doubt, confirms }: { newlyMissing: number; doubt: Doubt | null; confirms: boolean },
  tx: Tx,
): void {
  const { mirror } = context.store.queries;
  const at = context.now();
  const known = mirror.json(LOSSES, losses) ?? { since: at, at, contradicted: false };
  if (known.contradicted || known.unreadable) recordEarlySnapshot(context, tx);
  if (confirms && newlyMissing === 0 && Math.abs(at - known.since) >= HOUR) tx.items.confirmLosses();
  if (confirms && newlyMissing === 0 && Math.abs(at - known.since) >= DAY) tx.items.confirmOldLosses();
  const isWhole = !anyParked(context) && agreesWithList(context) === true;
  const since = doubt?.since ?? (newlyMissing > 0 ? at : known.since);
  tx.mirror.set(LOSSES, isWhole ? null : JSON.stringify({ since, at, contradicted: false }));
}

/** Call it before the changes that brought `items` are saved. */
export function recordContradictions(context: SyncContext, brought: readonly Item[], tx: Tx): void {
  const { items, mirror } = context.store.queries;
  const known = mirror.json(LOSSES, losses);
  const isLacked = ({ id }: Item): boolean => (items.parkingOf(id) ?? 'listed') !== 'listed';
  if (known === null || !brought.some(isLacked)) return;
  tx.mirror.set(LOSSES, JSON.stringify({ ...known, contradicted: true }));
}

/** Must share the transaction of the cursor: unreadable changes are not sent again. */
export function recordUnreadableChanges(context: SyncContext, tx: Tx): void {
  const at = context.now();
  const known = context.store.queries.mirror.json(LOSSES, losses) ?? { since: at, at, contradicted: false };
  tx.mirror.set(LOSSES, JSON.stringify({ ...known, unreadable: true }));
}

/** Returns true if a snapshot must replace the changes; ever less often, because a proxy may refuse them for good. */
export function recordFailedChanges(context: SyncContext, error: unknown): boolean {
  if (!isOfOneRecord(error) || NOT_OF_CHANGES.has(error.code)) return false;
  const now = context.now();
  const known = context.store.queries.mirror.json(UNREADABLE, unreadable) ?? { since: now, failures: 0 };
  const failures = known.failures + 1;
  const isLasting = failures >= FAILURES && Math.abs(now - known.since) >= FAILING_FOR;
  const isReplaced = isLasting && mayBeEarly(context);
  context.write((tx) => {
    tx.mirror.set(UNREADABLE, JSON.stringify({ since: known.since, failures }));
    if (isReplaced) recordEarlySnapshot(context, tx);
  });
  return isReplaced;
}

export function recordReadableChanges(context: SyncContext): void {
  if (context.store.queries.mirror.get(UNREADABLE) === null) return;
  context.write((tx) => tx.mirror.set(UNREADABLE, null));
}

/** Both reasons for an early snapshot share one wait. */
function mayBeEarly(context: SyncContext): boolean {
  const last = context.store.queries.mirror.json(EARLY, early);
  if (last === null) return true;
  return Math.abs(context.now() - last.at) >= backoffAfter(last.taken, FIRST_WAIT, MAX_WAIT);
}

function recordEarlySnapshot(context: SyncContext, tx: Tx): void {
  const at = context.now();
  const last = context.store.queries.mirror.json(EARLY, early);
  const taken = last && Math.abs(at - last.at) < FORGOTTEN_AFTER ? last.taken + 1 : 1;
  tx.mirror.set(EARLY, JSON.stringify({ at, taken }));
}
