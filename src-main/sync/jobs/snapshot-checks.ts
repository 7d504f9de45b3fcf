import { DAY } from '../../common/time.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Item } from '../../contract/model/item.ts';
import type { Doubt, Queries, Transaction } from '../../store/index.ts';
import { checkDueAt, DOUBTED_PART, isCheckDue, isConfirmed } from './confirmation.ts';
import { WALKED_AT } from './items.ts';
import { latestNow, startOfList } from './items-tail.ts';
import { backoffAfter, isOfOneRecord, isWaiting } from './record-failures.ts';
import type { SyncContext } from './sync-context.ts';

/** In the table of fetches: of the first, `answeredAt` says since when, and `failures` counts unreadable changes. */
const CHECK = 'selected check';
const EARLY = 'selected early snapshot';
const CHANGES = 'selected changes';

type Tx = Pick<Transaction, 'fetches' | 'items'>;

const MINUTE = 60_000;
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
  const { queries } = context.store;
  const known = checkOf(queries);
  const isAll = context.urgency === 'all';
  const isDue = known && (isCheckDue(known, context.now()) || (known.isContradicted && mayBeEarly(context)));
  if (anyParked(context)) return isAll || isDue !== false;
  if (!isAll && !isDue) return false;
  if (known?.isUnreadable) return isAll || mayBeEarly(context);
  const agrees = compareWithList(queries, latestNow(context))?.agrees;
  if (agrees && known !== null) context.write((tx) => tx.fetches.forget(CHECK));
  return agrees === false;
}

function checkOf({ fetches }: Pick<Queries, 'fetches'>) {
  const state = fetches.state(CHECK);
  if (state === null) return null;
  const { requestedAt: at, answeredAt, dueAt, failures } = state;
  return { since: answeredAt ?? at, at, isContradicted: dueAt <= at, isUnreadable: failures > 0 };
}

function putCheck(tx: Tx, since: number, at: number): void {
  tx.fetches.put(CHECK, { requestedAt: at, answeredAt: since, dueAt: checkDueAt({ since, at }), failures: 0 });
}

function anyParked({ store }: SyncContext): boolean {
  return (['member', 'left', 'old'] as const).some((parking) => store.queries.items.parkedIds(parking).length > 0);
}

/** Null before the first whole list. */
function compareWithList({ items, mirror }: Pick<Queries, 'items' | 'mirror'>, now: number) {
  if (mirror.get(WALKED_AT) === null) return null;
  const found = items.countMarkedSince(startOfList(now));
  return { ...found, agrees: found.lacking <= found.marked * DOUBTED_PART };
}

export function doubtAboutSet(queries: Pick<Queries, 'fetches' | 'items' | 'mirror'>, now: number): Doubt | null {
  const known = checkOf(queries);
  const found = known && compareWithList(queries, now);
  if (!known || !found || found.agrees) return null;
  return { since: known.since, stored: found.marked, received: found.marked - found.lacking, of: 'marked' };
}

export function recordFailedCheck(context: SyncContext): void {
  const at = context.now();
  const known = checkOf(context.store.queries);
  context.write((tx) => {
    if (known?.isContradicted) recordEarlySnapshot(context, tx);
    putCheck(tx, known?.since ?? at, at);
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
  const { queries } = context.store;
  const at = context.now();
  const known = checkOf(queries);
  const since = known?.since ?? at;
  if (known?.isContradicted || known?.isUnreadable) recordEarlySnapshot(context, tx);
  const agrees = confirms && newlyMissing === 0;
  for (const lost of ['left', 'old'] as const) if (isConfirmed(lost, agrees, since, at)) tx.items.confirmLosses(lost);
  if (!anyParked(context) && compareWithList(queries, latestNow(context))?.agrees) tx.fetches.forget(CHECK);
  else putCheck(tx, doubt?.since ?? (newlyMissing > 0 ? at : Math.min(since, at)), at);
}

/** Call it before the changes that brought `items` are saved. */
export function recordContradictions(context: SyncContext, brought: readonly Item[], tx: Tx): void {
  const { items, fetches } = context.store.queries;
  const known = fetches.state(CHECK);
  const isLacked = ({ id }: Item): boolean => (items.parkingOf(id) ?? 'listed') !== 'listed';
  if (known !== null && brought.some(isLacked)) tx.fetches.put(CHECK, { dueAt: known.requestedAt });
}

/** Must share the transaction of the cursor: unreadable changes are not sent again. */
export function recordUnreadableChanges(context: SyncContext, tx: Tx): void {
  const { fetches } = context.store.queries;
  if (fetches.state(CHECK) === null) putCheck(tx, context.now(), context.now());
  tx.fetches.put(CHECK, { failures: (fetches.state(CHECK)?.failures ?? 0) + 1 });
}

/** Returns true if a snapshot must replace the changes; ever less often, because a proxy may refuse them for good. */
export function recordFailedChanges(context: SyncContext, error: unknown): boolean {
  if (!isOfOneRecord(error) || NOT_OF_CHANGES.has(error.code)) return false;
  const now = context.now();
  const known = context.store.queries.fetches.state(CHANGES);
  const [requestedAt, failures] = [known?.requestedAt ?? now, (known?.failures ?? 0) + 1];
  const isLasting = failures >= FAILURES && Math.abs(now - requestedAt) >= FAILING_FOR;
  const isReplaced = isLasting && mayBeEarly(context);
  context.write((tx) => {
    tx.fetches.put(CHANGES, { requestedAt, failures });
    if (isReplaced) recordEarlySnapshot(context, tx);
  });
  return isReplaced;
}

export function recordReadableChanges(context: SyncContext): void {
  if (context.store.queries.fetches.state(CHANGES) === null) return;
  context.write((tx) => tx.fetches.forget(CHANGES));
}

/** Both reasons for an early snapshot share one wait. */
function mayBeEarly(context: SyncContext): boolean {
  return !isWaiting(context.store.queries.fetches.state(EARLY), context.now());
}

function recordEarlySnapshot(context: SyncContext, tx: Tx): void {
  const at = context.now();
  const last = context.store.queries.fetches.state(EARLY);
  const failures = last && Math.abs(at - last.requestedAt) < FORGOTTEN_AFTER ? last.failures + 1 : 1;
  tx.fetches.put(EARLY, { requestedAt: at, dueAt: at + backoffAfter(failures, FIRST_WAIT, MAX_WAIT), failures });
}
