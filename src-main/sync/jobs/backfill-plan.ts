import type { ReportFacts } from '../../store/index.ts';
import { fetchesValid, type Urgency } from '../schedule/types.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Corrections and withdrawals come soon after publication or not at all (document 1 section 1,
 * docs/decisions/012-report-archive.md).
 */
const REVALIDATION: readonly { youngerThan: number; every: number }[] = [
  { youngerThan: 2 * DAY, every: 4 * HOUR },
  { youngerThan: 7 * DAY, every: DAY },
  { youngerThan: 30 * DAY, every: 7 * DAY },
  { youngerThan: 180 * DAY, every: 30 * DAY },
  { youngerThan: Infinity, every: 90 * DAY },
];
/** A withdrawn report may return. */
const AFTER_GONE = 7 * DAY;

export const BOUNDS = { missing: 12, revalidated: 4 };

export interface BackfillPlan {
  labels: string[];
  more: boolean;
  /** Checks of saved reports wait until the rush is over. */
  postponed: boolean;
}

/** In ms. The service's lifetime is the minimum. */
export function revalidationInterval(age: number, lifetime: number): number {
  const rule = REVALIDATION.find(({ youngerThan }) => age < youngerThan);
  return Math.max(lifetime, rule?.every ?? 0);
}

/**
 * Selects the reports to fetch in one sync: all for the urgency `now`. `all` is newest first; `now` is ms since 1970.
 * `inRush`: a new report has just come out, so what is saved already waits (docs/scale.md).
 */
export function planBackfill(
  all: readonly ReportFacts[],
  now: number,
  urgency: Urgency,
  { inRush = false } = {},
): BackfillPlan {
  const inOrder = all.toSorted((one, other) => one.failures - other.failures);
  const missing = inOrder.filter((facts) => !facts.stored && facts.goneAt === null);
  const others = inOrder.filter((facts) => facts.stored || facts.goneAt !== null);
  if (fetchesValid(urgency)) return { labels: labelsOf([...missing, ...others]), more: false, postponed: false };
  const wanted = missing.filter((facts) => elapsed(facts, now) >= facts.backoff);
  const due = others.filter((facts) => isRevalidationDue(facts, now));
  const postpones = inRush && urgency === 'due';
  const checked = postpones ? [] : due;
  const chosen = [...wanted.slice(0, BOUNDS.missing), ...checked.slice(0, BOUNDS.revalidated)];
  const more = chosen.length < wanted.length + checked.length;
  return { labels: labelsOf(chosen), more, postponed: postpones && due.length > 0 };
}

/** In ms; null if none failed. */
export function nextRetryIn(all: readonly ReportFacts[], now: number): number | null {
  const waits = all
    .filter(({ failures }) => failures > 0)
    .map((facts) => Math.max(0, facts.backoff - elapsed(facts, now)));
  return waits.length === 0 ? null : Math.min(...waits);
}

function isRevalidationDue(facts: ReportFacts, now: number): boolean {
  if (facts.failures > 0) return elapsed(facts, now) >= facts.backoff;
  const every = facts.stored ? revalidationInterval(ageOf(facts, now), facts.lifetime) : facts.lifetime;
  return elapsed(facts, now) >= (facts.goneAt === null ? every : Math.max(every, AFTER_GONE));
}

/** A report without a time and without a date as label counts as neither new nor old. */
function ageOf({ generatedAt, label }: ReportFacts, now: number): number {
  const at = [generatedAt ?? '', label].map((text) => Date.parse(text)).find((ms) => !Number.isNaN(ms));
  return at === undefined ? 7 * DAY : now - at;
}

/** After the clock was set back, the last fetch is in the future: its distance counts either way. */
function elapsed({ requestedAt }: ReportFacts, now: number): number {
  return requestedAt === null ? Infinity : Math.abs(now - requestedAt);
}

function labelsOf(facts: readonly ReportFacts[]): string[] {
  return facts.map(({ label }) => label);
}
