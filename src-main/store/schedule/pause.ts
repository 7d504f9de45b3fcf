import { z } from 'zod';
import { TEN_YEARS } from '../../common/ten-years.ts';
import type { Properties } from '../database/properties.ts';

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

/** A property of user.db: it survives restarts and holds for every service. */
export class PauseProperty {
  readonly #properties: Properties;

  /** @param user the properties of user.db */
  constructor(user: Properties) {
    this.#properties = user;
  }

  /** Null without a pause, and for one that can't be used: unreadable, or longer than ten years. */
  get(): Pause | null {
    return this.#properties.json(NAME, PAUSE);
  }

  set(pause: Pause | null): void {
    this.#properties.set(NAME, pause && JSON.stringify(pause));
  }
}
