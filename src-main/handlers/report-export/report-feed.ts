import { exportedReportKind } from '../../common/i18n/labels/reports.ts';
import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { readableReport } from '../../common/readable-report.ts';
import { shanghaiMoment } from '../../common/shanghai.ts';
import { asTime } from '../../common/timestamp.ts';
import type { ExportFrame, ExportPart } from '../../contract/model/export.ts';
import { REPORT_RESOURCE, type ReportKind, type StoredReport } from '../../contract/model/report.ts';
import { webAddress } from '../export-text/web-address.ts';
import { feedTime, later, serviceLabel, stableId, xmlText } from '../export-text/xml-text.ts';
import { atomFrame, atomText } from '../item-export/atom.ts';
import type { FeedEntry } from '../item-export/feed-entry.ts';
import { reportContent, reportTitle } from './report-html.ts';

/** Reports as entries of an Atom feed. `wanted` counts those that were asked for. */
export function reportEntries(
  reports: readonly StoredReport[],
  wanted: number,
  by: InLocale & { service: string },
): Omit<ExportPart, 'next'> {
  return {
    text: reports.length === 0 ? '' : atomText(reports.map((report) => entryOf(report, by))),
    count: reports.length,
    left: wanted - reports.length,
    updatedAt: reports.reduce<string | null>((last, report) => later(last, changedAt(report)), null),
  };
}

interface ReportFeed extends InLocale {
  kind: ReportKind;
  /** YYYY-MM; undefined for all. */
  month: string | undefined;
  service: string;
  version: string;
}

export function reportFeedFrame({ kind, month, service, version, ...by }: ReportFeed, updatedAt: string): ExportFrame {
  const frame = atomFrame({
    id: stableId(service, 'reports', kind, month ?? ''),
    title: `Broadsheet: ${[exportedReportKind[kind]({}, by), month ?? m.exported_reports_all({}, by)].join(' · ')}`,
    subtitle: m.exported_items_note({}, by),
    author: serviceLabel(service),
    updatedAt: feedTime(updatedAt) ?? updatedAt,
    version,
  });
  return { ...frame, name: `broadsheet-${month ? `${kind}-${month}` : REPORT_RESOURCE[kind]}.atom.xml` };
}

/** When a report was last changed, RFC 3339 in UTC: compiled, or corrected. */
export function changedAt({ generatedAt, corrections, kind, label }: StoredReport): string {
  const known = later(feedTime(generatedAt), feedTime(corrections[0]?.at ?? null));
  if (known !== null) return known;
  const day = kind === 'daily' ? label : kind === 'monthly' ? `${label}-01` : `${label.slice(0, 4)}-01-01`;
  return feedTime(asTime(shanghaiMoment(day, '00:00'))) ?? '1970-01-01T00:00:00.000Z';
}

function entryOf(report: StoredReport, by: InLocale & { service: string }): FeedEntry {
  const { kind, label, links } = report;
  const { attribution } = readableReport(report);
  const { name, headline } = reportTitle(report, by);
  return {
    id: stableId(by.service, 'report', kind, label),
    title: xmlText(headline === null ? name : `${name}: ${headline}`),
    html: reportContent(report, by),
    url: webAddress(links.aihot),
    page: null,
    author: xmlText(attribution?.name ?? '').trim(),
    category: null,
    publishedAt: feedTime(report.generatedAt),
    updatedAt: changedAt(report),
  };
}
