import { z } from 'zod';
import { TEN_YEARS } from '../../common/time.ts';
import { userProperties } from '../database/properties.ts';
import type { Db, WritableDb } from '../sql.ts';

const NAME = 'pause';

const time = z.int().min(0).max(8.64e15);
const PAUSE: z.ZodType<Pause> = z
  .object({ since: time, until: time.nullable() })
  .refine(({ since, until }) => until === null || until - since <= TEN_YEARS);

/** The reader's pause of syncing. Times are ms since 1970; `until` is null for a pause without an end. */
export interface Pause {
  since: number;
  until: number | null;
}

/** Returns null without a pause, and for one that can't be used: unreadable, or longer than ten years. */
export function get(db: Db): Pause | null {
  return userProperties.json(db, NAME, PAUSE);
}

/** Saves the pause in user.db: it survives restarts and holds for every service. */
export function set(db: WritableDb, pause: Pause | null): void {
  userProperties.set(db, NAME, pause && JSON.stringify(pause));
}
