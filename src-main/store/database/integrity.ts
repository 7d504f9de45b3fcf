/** The result of the latest integrity check, and when the next is due, saved in the mirror. */
import { z } from 'zod';
import type { SyncHealth } from '../../contract/model/sync-status.ts';
import type { Db, WritableDb } from '../sql.ts';
import { mirrorProperties } from './properties.ts';

const NAME = 'integrity';
const DUE = 'check_due_at';
const WEEK = 7 * 24 * 3_600_000;

export type Integrity = NonNullable<SyncHealth['integrity']>;
const INTEGRITY = z.object({ at: z.iso.datetime(), sound: z.boolean(), messages: z.array(z.string()) });

const PROGRESS = 'check_progress';
/** A stopped check is continued within this time; damage on a disk can come later. */
const CONTINUED_MS = 24 * 3_600_000;

/** Returns null before the first check. */
export function get(db: Db): Integrity | null {
  return mirrorProperties.json<Integrity>(db, NAME, INTEGRITY);
}

/** Returns the steps that a stopped check has done, if it can be continued at this time (ms since 1970). */
export function progress(db: Db, now: number): string[] {
  const [at, ...steps] = (mirrorProperties.get(db, PROGRESS) ?? '').split('\n');
  return Math.abs(now - Number(at)) <= CONTINUED_MS ? steps : [];
}

/** Saves that a check was stopped after these steps. */
export function setProgress(db: WritableDb, now: number, steps: readonly string[]): void {
  mirrorProperties.set(db, PROGRESS, [now, ...steps].join('\n'));
}

/** Saves a result. The next check is due in a week. */
export function set(db: WritableDb, integrity: Integrity): void {
  mirrorProperties.set(db, NAME, JSON.stringify(integrity));
  mirrorProperties.set(db, DUE, Date.parse(integrity.at) + WEEK);
  mirrorProperties.set(db, PROGRESS, null);
}

/** Returns true if a check is due: a week after the last one, or because the files were not closed properly. */
export function isDue(db: Db, now: number): boolean {
  const due = mirrorProperties.number(db, DUE);
  // A due time far ahead was set by a clock that has been put back since.
  return now >= due || due - now > WEEK;
}

/** Call it after opening. A new mirror is checked after its first week. */
export function opened(db: WritableDb, wasLeftOpen: boolean, now: number): void {
  if (wasLeftOpen) {
    mirrorProperties.set(db, DUE, 0);
    mirrorProperties.set(db, PROGRESS, null);
  } else if (mirrorProperties.get(db, DUE) === null) mirrorProperties.set(db, DUE, now + WEEK);
}
