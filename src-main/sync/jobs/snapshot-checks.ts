import { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Item } from '../../contract/model/item.ts';
import type { Queries, Transaction } from '../../store/index.ts';
import { DOUBTED_PART, isCheckDue, type Doubt } from './confirmation.ts';
import { WALKED_AT } from './items.ts';
import { listedSince, startOfList } from './items-tail.ts';
import { isOfOneRecord } from './record-failures.ts';
import type { Run } from './sync-context.ts';

/**
 * Set while items are parked that a snapshot lacked, and until the list of all items agrees with the set: since when, and when
 * it was last checked. Times in ms since 1970.
 */
const LOSSES = 'selected_losses';
/** The last snapshot that was taken early, and how many there were in a row. */
const EARLY = 'selected_early_snapshot';
/** Set while changes can't be read. */
const UNREADABLE = 'selected_unreadable_changes';

const count = z.int().min(0);
const losses = z.object({ since: count, at: count, contradicted: z.boolean() });
const early = z.object({ at: count, taken: count });
const unreadable = z.object({ since: count, failures: count });

type Tx = Pick<Transaction, 'mirror' | 'items'>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Failures in a row before a snapshot replaces the changes, and the least time since the first one: some pass. */
const FAILURES = 3;
const FAILING_FOR = MINUTE;
/** Least time between two early snapshots, doubled with each. */
const FIRST_WAIT = 10 * MINUTE;
const LONGEST_WAIT = DAY;
/** After so long without an early snapshot, the next one counts as the first. */
const FORGOTTEN_AFTER = 2 * DAY;

/** Failures of a request that has nothing to do with the changes, and the one that always leads to a snapshot. */
const NOT_OF_CHANGES = new Set<ErrorCode>([
  'snapshot_required',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'temporarily_unavailable',
  'timeout',
  'unreachable',
]);

/** True if another snapshot must show if the service has what the last one lacked. */
export function isSnapshotDue(run: Run): boolean {
  const known = run.store.queries.mirror.json(LOSSES, losses);
  const isAll = run.urgency === 'all';
  if (anyParked(run)) return known === null || isAll || isDue(known, run);
  if (!isAll && (known === null || !isDue(known, run))) return false;
  const agrees = agreesWithList(run);
  if (agrees === true && known !== null) run.write((tx) => tx.mirror.set(LOSSES, null));
  return agrees === false;
}

function isDue(known: z.infer<typeof losses>, run: Run): boolean {
  return isCheckDue(known, run.now()) || (known.contradicted && mayBeEarly(run));
}

function anyParked({ store }: Run): boolean {
  const { items } = store.queries;
  return items.parked('member') + items.parked('left') + items.parked('old') > 0;
}

/**
 * True if the set has what the list of all items marks as selected: a first snapshot, or one that the reader accepted, has
 * nothing else to be compared with. Null before the whole list is saved.
 */
function agreesWithList(run: Run): boolean | null {
  const { items, mirror } = run.store.queries;
  if (mirror.get(WALKED_AT) === null) return null;
  const { marked, lacking } = items.markedSince(listedSince(run));
  return lacking <= marked * DOUBTED_PART;
}

/**
 * The doubt about a set that lacks much of what the list of all items marks as selected, as long as it is checked; null if
 * both agree. `now` is ms since 1970.
 */
export function doubtAboutSet({ mirror, items }: Pick<Queries, 'mirror' | 'items'>, now: number): Doubt | null {
  const known = mirror.json(LOSSES, losses);
  if (known === null || mirror.get(WALKED_AT) === null) return null;
  const { marked, lacking } = items.markedSince(startOfList(now));
  if (lacking <= marked * DOUBTED_PART) return null;
  return { since: known.since, stored: marked, received: marked - lacking, of: 'marked' };
}

/** That snapshot failed. It is not asked for again at once. */
export function noteCheckFailed(run: Run): void {
  const at = run.now();
  const known = run.store.queries.mirror.json(LOSSES, losses);
  run.write((tx) => {
    if (known?.contradicted) noteEarly(run, tx);
    tx.mirror.set(LOSSES, JSON.stringify({ since: known?.since ?? at, at, contradicted: false }));
  });
}

/**
 * Within the transaction of the last page of a snapshot that lacked `missing` members. `confirms`: it proves what it lacks. Once
 * such a snapshot of another hour lacks those that left the set, too, the list of all items decides about them; those that are too
 * old for it are given up after a snapshot of another day.
 */
export function noteLosses(
  run: Run,
  { missing, doubt, confirms }: { missing: number; doubt: Doubt | null; confirms: boolean },
  tx: Tx,
): void {
  const { mirror } = run.store.queries;
  const at = run.now();
  const known = mirror.json(LOSSES, losses) ?? { since: at, contradicted: false };
  if (known.contradicted) noteEarly(run, tx);
  if (confirms && missing === 0 && Math.abs(at - known.since) >= HOUR) tx.items.confirmLosses();
  if (confirms && missing === 0 && Math.abs(at - known.since) >= DAY) tx.items.confirmOldLosses();
  const isWhole = !anyParked(run) && agreesWithList(run) === true;
  const since = doubt?.since ?? (missing > 0 ? at : known.since);
  tx.mirror.set(LOSSES, isWhole ? null : JSON.stringify({ since, at, contradicted: false }));
}

/** Within a transaction, before changes are saved that brought `items`: whether the last snapshot lacked one of them. */
export function noteContradictions(run: Run, brought: readonly Item[], tx: Tx): void {
  const { items, mirror } = run.store.queries;
  const known = mirror.json(LOSSES, losses);
  const isLacked = ({ id }: Item): boolean => (items.parkingOf(id) ?? 'listed') !== 'listed';
  if (known === null || !brought.some(isLacked)) return;
  tx.mirror.set(LOSSES, JSON.stringify({ ...known, contradicted: true }));
}

/**
 * Notes that changes could not be fetched or read. Returns true if a snapshot must replace them: after several failures
 * in a row, and then ever less often, because a proxy may refuse all changes for good.
 */
export function noteChangesFailed(run: Run, error: unknown): boolean {
  if (!isOfOneRecord(error) || NOT_OF_CHANGES.has(error.code)) return false;
  const now = run.now();
  const known = run.store.queries.mirror.json(UNREADABLE, unreadable) ?? { since: now, failures: 0 };
  const failures = known.failures + 1;
  const isLasting = failures >= FAILURES && Math.abs(now - known.since) >= FAILING_FOR;
  const isReplaced = isLasting && mayBeEarly(run);
  run.write((tx) => {
    tx.mirror.set(UNREADABLE, JSON.stringify({ since: known.since, failures }));
    if (isReplaced) noteEarly(run, tx);
  });
  return isReplaced;
}

export function noteChangesWork(run: Run): void {
  if (run.store.queries.mirror.get(UNREADABLE) === null) return;
  run.write((tx) => tx.mirror.set(UNREADABLE, null));
}

/** True if a snapshot may be taken before its time. Both reasons share one wait. */
function mayBeEarly(run: Run): boolean {
  const last = run.store.queries.mirror.json(EARLY, early);
  if (last === null) return true;
  return Math.abs(run.now() - last.at) >= Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (last.taken - 1));
}

function noteEarly(run: Run, tx: Tx): void {
  const at = run.now();
  const last = run.store.queries.mirror.json(EARLY, early);
  const taken = last && Math.abs(at - last.at) < FORGOTTEN_AFTER ? last.taken + 1 : 1;
  tx.mirror.set(EARLY, JSON.stringify({ at, taken }));
}
