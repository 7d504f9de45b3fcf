import { localeOf } from '../../common/i18n/locale.ts';
import type { Result } from '../../contract/methods.ts';
import { reportAsServed } from '../../common/report-json.ts';
import type { StoredReport } from '../../contract/model/report.ts';
import { reportHtml } from './report-html.ts';
import { reportMarkdown } from './report-markdown.ts';

type Format = 'md' | 'html' | 'json';

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** A report as a file: name, media type and text. `language` is a BCP 47 tag */
export function renderReport(report: StoredReport, format: Format, language: string): Result<'reports.render'> {
  const name = `${report.kind}-${report.label}.${format}`;
  return { name, mediaType: MEDIA_TYPES[format], text: textOf(report, format, language) };
}

function textOf(report: StoredReport, format: Format, language: string): string {
  if (format === 'json') return reportJson(report);
  const by = { locale: localeOf('system', language) };
  return format === 'html' ? reportHtml(report, by) : reportMarkdown(report, by);
}

/** The report as the service sent it, with Broadsheet's own data beside it. */
function reportJson(report: StoredReport): string {
  const { kind, label, fetchedAt, goneAt, corrections } = report;
  const metadata = { kind, label, fetchedAt, goneAt, corrections };
  return `${JSON.stringify({ report: reportAsServed(report), broadsheet: metadata }, null, 2)}\n`;
}
