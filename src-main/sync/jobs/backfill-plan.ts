import type { ReportFacts } from '../../store/index.ts';
import type { Urgency } from '../schedule/types.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * How often a stored report is looked at again, by its age: corrections and withdrawals come soon after publication or not
 * at all (document 1 section 1, docs/decisions/012-report-archive.md).
 */
const REVALIDATION: readonly { youngerThan: number; every: number }[] = [
  { youngerThan: 2 * DAY, every: 4 * HOUR },
  { youngerThan: 7 * DAY, every: DAY },
  { youngerThan: 30 * DAY, every: 7 * DAY },
  { youngerThan: 180 * DAY, every: 30 * DAY },
  { youngerThan: Infinity, every: 90 * DAY },
];
/** A report whose body could not be read is tried again, but not with every round. */
const AFTER_BAD_BODY = 6 * HOUR;
/** One that is gone may come back. */
const AFTER_GONE = 7 * DAY;

/** Of a round that nobody waits for. */
export const BOUNDS = { missing: 12, revalidated: 4 };

export interface BackfillPlan {
  /** In the order in which they are asked for: missing ones first, newest first. */
  labels: string[];
  /** Whether a later round has to go on. */
  more: boolean;
}

/** For how long a stored report of this age is not looked at by itself. The service's lifetime is the floor. In ms. */
export function revalidationInterval(age: number, lifetime: number): number {
  const rule = REVALIDATION.find(({ youngerThan }) => age < youngerThan);
  return Math.max(lifetime, rule?.every ?? 0);
}

/** Which reports a round asks for. `all` is newest first; `now` ms since 1970. With `now` as urgency it is everything. */
export function planBackfill(all: readonly ReportFacts[], now: number, urgency: Urgency): BackfillPlan {
  const missing = all.filter((facts) => !facts.stored && facts.goneAt === null);
  const others = all.filter((facts) => facts.stored || facts.goneAt !== null);
  if (urgency === 'now') return { labels: labelsOf([...missing, ...others]), more: false };
  const wanted = missing.filter((facts) => elapsed(facts, now) >= AFTER_BAD_BODY);
  const due = others.filter((facts) => isRevalidationDue(facts, now));
  const chosen = [...wanted.slice(0, BOUNDS.missing), ...due.slice(0, BOUNDS.revalidated)];
  return { labels: labelsOf(chosen), more: chosen.length < wanted.length + due.length };
}

function isRevalidationDue(facts: ReportFacts, now: number): boolean {
  const every = facts.stored ? revalidationInterval(ageOf(facts, now), facts.lifetime) : facts.lifetime;
  return elapsed(facts, now) >= (facts.goneAt === null ? every : Math.max(every, AFTER_GONE));
}

/** Without a time of its own, and with a label that is no date, a report counts as neither new nor old. */
function ageOf({ generatedAt, label }: ReportFacts, now: number): number {
  const at = [generatedAt ?? '', label].map((text) => Date.parse(text)).find((ms) => !Number.isNaN(ms));
  return at === undefined ? 7 * DAY : now - at;
}

/** Where the clock was set back, the time of the last question lies ahead: as far away as it is, either way. */
function elapsed({ requestedAt }: ReportFacts, now: number): number {
  return requestedAt === null ? Infinity : Math.abs(now - requestedAt);
}

function labelsOf(facts: readonly ReportFacts[]): string[] {
  return facts.map(({ label }) => label);
}
