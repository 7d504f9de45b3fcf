import type { CitationWithStatus, StoredReport } from '../contract/model/report.ts';
import type { ReportLength } from '../contract/model/today.ts';
import { readableReport, type ReadableReport } from './readable-report.ts';
import { readingMinutes } from './reading-time.ts';

type Parts = Pick<ReadableReport, 'lead' | 'sections'> & Pick<StoredReport, 'flashes'>;

/** The stories of a report in the order in which it is read: a lead that is a story, the sections, the briefs. */
export function storiesOf({ lead, sections, flashes }: Parts): CitationWithStatus[] {
  return [...(lead ? [lead] : []), ...sections.flatMap(({ items }) => items), ...flashes];
}

/** Never true without an address, because such a story can't be marked as read. */
export function isUnread({ key, readAt }: Pick<CitationWithStatus, 'key' | 'readAt'>): boolean {
  return key !== null && readAt === null;
}

/** How long a report is, and how much of it was read, in the feed or in a report. */
export function reportLength(report: StoredReport): ReportLength {
  const { lead, headline, overview, sections } = readableReport(report);
  const stories = storiesOf({ lead, sections, flashes: report.flashes });
  return {
    stories: stories.length,
    minutes: readingMinutes([
      headline,
      overview,
      ...sections.map(({ summary }) => summary),
      // The lead is read above: as headline and overview.
      ...stories.filter((story) => story !== lead).flatMap(({ title, summary }) => [title, summary]),
    ]),
    read: stories.filter(({ readAt }) => readAt !== null).length,
    unread: stories.filter(isUnread).length,
  };
}
