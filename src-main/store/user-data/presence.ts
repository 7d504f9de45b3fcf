/** When the reader was last here, and the day of the return from a holiday (docs/decisions/173). */
import { z } from 'zod';
import { sameDay } from '../../common/time.ts';
import { userProperties as user } from '../database/properties.ts';
import type { Db, WritableDb } from '../sql.ts';

const HOUR = 3_600_000;
/** From Friday evening to Monday morning is a weekend. */
const HOLIDAY_MS = 72 * HOUR;
/** Days need no more, and each write wakes the disk. */
const PRECISION_MS = HOUR / 4;

const HERE = 'here_at';
const RETURN = 'return';
const RETURNED = z.object({ since: z.int().min(0), at: z.int().min(0), fresh: z.boolean() });

/**
 * Returns when the reader was last here before a holiday, in ms since 1970. Null if there was none, from the day after the
 * return, and once the reader has started fresh.
 */
export function awaySince(db: Db, now: number): number | null {
  const here = user.number(db, HERE);
  if (isHoliday(here, now)) return here;
  const returned = user.json(db, RETURN, RETURNED);
  return returned && !returned.fresh && sameDay(returned.at, now) ? returned.since : null;
}

/** The reader is here. `fresh` ends the return from a holiday, or takes that back. Returns true if {@link awaySince} changed. */
export function arrive(db: WritableDb, now: number, fresh?: boolean): boolean {
  const here = user.number(db, HERE);
  const returned = user.json(db, RETURN, RETURNED);
  const isReturn = isHoliday(here, now);
  const next = isReturn ? { since: here, at: now, fresh: false } : returned;
  const changed = isReturn || (fresh !== undefined && next !== null && next.fresh !== fresh);
  if (changed && next) user.set(db, RETURN, JSON.stringify({ ...next, fresh: fresh ?? next.fresh }));
  if (Math.abs(now - here) >= PRECISION_MS) user.set(db, HERE, now);
  return changed;
}

function isHoliday(here: number, now: number): boolean {
  return here > 0 && now - here >= HOLIDAY_MS;
}
