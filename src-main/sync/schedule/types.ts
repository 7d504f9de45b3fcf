import type { ReportKind } from '../../contract/model/report.ts';
import type { Settings } from '../../contract/settings.ts';

/** The polling setting. */
export type Pace = Settings['polling'];

/** Why a sync runs: for what is due, what the cache rules permit, or everything. */
export type Urgency = 'due' | 'permitted' | 'now' | 'all';

/** Decides whether a sync also fetches what is still valid. `all` reconciles the complete item list as well. */
export function fetchesValid(urgency: Urgency): boolean {
  return urgency === 'now' || urgency === 'all';
}

/** Checks that a sync fetches what a running one leaves out. What is permitted follows from what is due. */
export function isMoreUrgent(urgency: Urgency, running: Urgency): boolean {
  return fetchesValid(urgency) && urgency !== running && running !== 'all';
}

/** How often a resource is fetched while all is well, in ms. The service's lifetime is the minimum. */
export type Rule =
  | { every: number; /** While the page shows it. */ attended: number }
  /** By the publication timetable of a kind of report. */
  | { report: ReportKind };
