import type { ReportKind } from '../../contract/model/report.ts';
import type { Settings } from '../../contract/settings.ts';

export type Pace = Settings['polling'];

/** A sync fetches what is due, what the cache rules permit, or everything. */
export type Urgency = 'due' | 'permitted' | 'now' | 'all';

/** `all` reconciles the complete item list as well. */
export function fetchesValid(urgency: Urgency): boolean {
  return urgency === 'now' || urgency === 'all';
}

/** Checks that a sync fetches what a running one leaves out. What is permitted follows from what is due. */
export function isMoreUrgent(urgency: Urgency, running: Urgency): boolean {
  return fetchesValid(urgency) && urgency !== running && running !== 'all';
}

/** In ms, while all is well. The service's lifetime is the minimum. */
export type Rule =
  | { every: number; /** While the page shows it. */ attended: number }
  /** By the publication timetable of a kind of report. */
  | { report: ReportKind };
