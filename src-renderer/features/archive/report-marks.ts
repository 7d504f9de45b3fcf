import type { CitationWithStatus, StoredReport } from '../../../src-main/contract/model/report.ts';

/** Status changes of a report by the reader. Each of them can be undone. */
export interface ReportMarks {
  /** Marks the report itself as read, or as unread again. */
  readonly report: (report: StoredReport) => void;
  /** Marks one of its stories as read, or as unread again. */
  readonly story: (story: CitationWithStatus) => void;
  /** Marks all stories of the open report as read. */
  readonly rest: () => void;
}
