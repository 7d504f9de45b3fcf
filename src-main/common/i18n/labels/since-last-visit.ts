import { m } from '../messages.ts';

export const sinceLastVisitCounts = {
  added: m.since_last_visit_counts_added,
  older: m.since_last_visit_counts_older,
  revised: m.since_last_visit_counts_revised,
  withdrawn: m.since_last_visit_counts_withdrawn,
};

export const sinceLastVisitTitles = {
  added: m.since_last_visit_titles_added,
  older: m.since_last_visit_titles_older,
  revised: m.since_last_visit_titles_revised,
  withdrawn: m.since_last_visit_titles_withdrawn,
};
