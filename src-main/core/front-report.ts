import { readableReport, reportLength } from '../common/readable-report.ts';
import { cutText } from '../common/text.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { StoredReport } from '../contract/model/report.ts';
import { FRONT_LIMITS, type FrontReport } from '../contract/model/today.ts';

export function frontOf(report: StoredReport): FrontReport {
  const { kind, label, goneAt } = report;
  const { headline, overview } = readableReport(report);
  return {
    ...{ kind, label, goneAt },
    ...reportLength(report),
    headline: shorten(headline),
    overview: shorten(overview),
  };
}

/** Null for what is not saved, or cannot be read. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BroadsheetError && error.code === 'not_found') return null;
    throw error;
  }
}

export function shorten<T extends string | null>(text: T): T {
  return text === null ? text : (cutText(text, FRONT_LIMITS.characters) as T);
}
