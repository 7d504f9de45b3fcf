import type { Ref } from '../../../src-main/contract/refs.ts';
import type { FrontReport, Today } from '../../../src-main/contract/model/today.ts';

export interface Lead {
  ref: Ref;
  /** The key of the story at which a report opens; null for its top. */
  story: string | null;
  title: string | null;
  text: string | null;
  /** Missing for a followed topic. */
  report?: FrontReport;
}

/** Returns what is to be read next: the daily, then a new weekly or monthly, then news of a followed topic. */
export function leadOf({ daily, alsoNew: [also], stories: [story] }: Today): Lead | null {
  if (daily && daily.unread > 0) {
    const { next, headline, overview } = daily;
    return {
      ...ofReport(daily),
      ...(next ? { story: next.key, title: next.title, text: next.summary } : { title: headline, text: overview }),
    };
  }
  if (also) return ofReport(also);
  if (!story) return null;
  const { publicId, title, latest } = story;
  return { ref: { view: 'story', publicId }, story: null, title, text: latest };
}

function ofReport(report: FrontReport): Lead {
  const { kind, label, headline, overview } = report;
  return { ref: { view: 'report', kind, label }, story: null, title: headline, text: overview, report };
}
