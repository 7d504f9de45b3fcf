import { InvalidArgumentError } from 'commander';
import { dayOf } from '../../common/query/values.ts';
import { startOfDay } from '../../common/query/days.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Wire } from '../../contract/wire.ts';
import { call } from '../open-core.ts';

/** From when on: a time in ms since 1970, or the reader's last visit (docs/decisions/014). */
export type Since = number | 'last-visit';

const SPAN = /^(\d{1,5})(m|h|d|w)$/;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };
const TIME = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/;
const HELP = 'It must be a span such as 2h, 3d or 1w, a day, a month, a time, today, yesterday or last-visit';

/** Parses an option's value. Days and times without a zone are those of this computer's clock. */
export function parseSince(text: string, now = Date.now()): Since {
  const word = text.trim().toLowerCase();
  if (word === 'last-visit') return word;
  const at = spanIn(word, now) ?? dayIn(word, now) ?? timeIn(text.trim());
  if (at === null) throw new InvalidArgumentError(`${HELP}.`);
  if (at > now) throw new InvalidArgumentError('It is in the future.');
  return at;
}

/** In ms since 1970. Errors: `not_found` for the last visit, if there was none. */
export async function sinceMs(wire: Wire, since: Since): Promise<number> {
  if (since !== 'last-visit') return since;
  const { since: visit } = await call(wire, 'visits.sinceLast', {});
  if (visit !== null) return Date.parse(visit);
  throw new BroadsheetError('not_found', 'There was no visit yet: it ends when you mark the news as caught up.');
}

function spanIn(word: string, now: number): number | null {
  const [, count, unit = ''] = SPAN.exec(word) ?? [];
  return count === undefined ? null : now - Number(count) * (MINUTES[unit] ?? 0) * 60_000;
}

function dayIn(word: string, now: number): number | null {
  if (word === 'today' || word === 'yesterday') {
    const day = new Date(now);
    // Not 24 hours: days on which clocks change have 23 or 25.
    day.setDate(day.getDate() - (word === 'today' ? 0 : 1));
    return day.setHours(0, 0, 0, 0);
  }
  const day = dayOf(word);
  return day === null ? null : startOfDay(day);
}

function timeIn(text: string): number | null {
  const day = TIME.exec(text)?.[1];
  if (day === undefined || dayOf(day) === null) return null;
  const ms = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(ms) ? null : ms;
}
