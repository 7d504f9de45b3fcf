import { z } from 'zod';
import { BroadsheetError } from '../contract/errors.ts';

/** A day, or a time with its zone. */
const SHAPE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export const sinceArgument = z
  .string()
  .max(40)
  .regex(SHAPE, 'must be like 2026-11-20 or 2026-11-20T08:00:00Z')
  .describe('A day (2026-11-20, from 0:00 UTC) or a time with its zone (2026-11-20T08:00:00Z)');

/** In ms since 1970. Errors: `invalid_argument` for a day or time that does not exist. */
export function sinceOf(text: string): number {
  const ms = Date.parse(text);
  const isDay = !text.includes('T');
  // `Date` turns 2026-02-30 into a day in March.
  const exists = !Number.isNaN(ms) && (!isDay || new Date(ms).toISOString().startsWith(text));
  if (exists) return ms;
  throw new BroadsheetError('invalid_argument', 'since: there is no such day or time');
}
