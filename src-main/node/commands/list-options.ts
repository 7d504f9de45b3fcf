import { InvalidArgumentError } from 'commander';
import { dayOf } from '../../common/query.ts';
import { startOfDay } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { LONGEST_RULE_NAME } from '../../contract/model/search.ts';
import type { Call } from '../../contract/wire.ts';
import { flag, option, text, whole, type Chooser, type Option } from '../command.ts';

/** From when on: a time in ms since 1970, or the reader's last visit (docs/decisions/014). */
export type Since = number | 'last-visit';

const LIST_OPTIONS = {
  query: option('text', text('items: search for words, "phrases", -excluded, is:unread, …: see search', 1000)),
  category: option('c', text('items: only this category', 200)),
  source: option('name', text('items: only this source', 2000)),
  unread: flag('items and reports: only unread ones'),
  starred: flag('items and stories: only starred ones'),
  since: sinceOption('items and reports: '),
  limit: limitOption('maximum number (default for items: 50, with --json all)'),
};

export const LIST: Chooser = {
  about: 'list what is saved, newest first (models in the order of the gateway); with --json, one object per line',
  choose: 'what to list',
  key: { name: 'name', ...text('saved: the name of the saved search', LONGEST_RULE_NAME) },
  options: LIST_OPTIONS,
  missing: (row) => `'list ${row}' needs the name of a saved search`,
  excess: (row) => `'list ${row}' takes no name`,
};

type ListOption = keyof typeof LIST_OPTIONS;

export function listOptions<Name extends ListOption = never>(
  ...names: readonly Name[]
): Pick<typeof LIST_OPTIONS, Name | 'limit'> {
  const { limit } = LIST_OPTIONS;
  return Object.assign({ limit }, ...names.map((name) => ({ [name]: LIST_OPTIONS[name] }))) as Pick<
    typeof LIST_OPTIONS,
    Name | 'limit'
  >;
}

export function limitOption(about: string): Option<number> {
  return option('n', whole(about, 1, 1_000_000_000));
}

export function sinceOption(what: string): Option<Since> {
  const about = `${what}only from then on: 2h, 3d, 1w, 2026-11-20, 2026-11-20T08:00, today, yesterday, last-visit`;
  return option('when', { about, parse: (word) => parseSince(word) });
}

/** Returns ms since 1970. Errors: `not_found` for the last visit, if there was none. */
export async function sinceMs(call: Call, since: Since): Promise<number> {
  if (since !== 'last-visit') return since;
  const { since: visit } = await call('visits.sinceLast', {});
  if (visit !== null) return Date.parse(visit);
  throw new BroadsheetError('not_found', 'There was no visit yet: it ends when you mark the news as caught up.');
}

const SPAN = /^(\d{1,5})(m|h|d|w)$/;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };
const TIME = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/;
const HELP = 'It must be a span such as 2h, 3d or 1w, a day, a month, a time, today, yesterday or last-visit';

/** Parses the value of `--since`. Days and times without a zone are those of this computer's clock. */
export function parseSince(text: string, now = Date.now()): Since {
  const word = text.trim().toLowerCase();
  if (word === 'last-visit') return word;
  const at = spanIn(word, now) ?? dayIn(word, now) ?? timeIn(text.trim());
  if (at === null) throw new InvalidArgumentError(`${HELP}.`);
  if (at > now) throw new InvalidArgumentError('It is in the future.');
  return at;
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
