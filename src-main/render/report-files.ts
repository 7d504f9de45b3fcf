import { reportKinds } from '../common/i18n/labels.ts';
import type { InLocale } from '../common/i18n/locale.ts';
import { m } from '../common/i18n/messages.ts';
import { readableReport } from '../common/readable-report.ts';
import { reportAsServed } from '../common/report-json.ts';
import { asTime, shanghaiMoment } from '../common/time.ts';
import { textLanguage } from '../common/text.ts';
import type { Args, Result } from '../contract/methods.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { ExportFrame, ExportPart, FeedFormat, FeedLinks } from '../contract/model/export.ts';
import { REPORT_RESOURCE, type ReportKind, type StoredReport } from '../contract/model/report.ts';
import { contentsOf, type Document, exportAudience, headingOf, type Origin, webAddress } from './document.ts';
import { toBook, type Chapter } from './outputs/book.ts';
import { FEED_OUTPUTS, feedEntry, feedTime, laterOf, serviceLabel, type FeedEntry } from './outputs/feed.ts';
import { toHtml, toHtmlPage } from './outputs/html.ts';
import { toMarkdown } from './outputs/markdown.ts';
import { reportDocument } from './report.ts';

type By = InLocale & Origin;

const FORMATS: Readonly<
  Record<Args<'reports.render'>['format'], { mediaType: string; write: (report: StoredReport, by: InLocale) => string }>
> = {
  md: { mediaType: 'text/markdown; charset=utf-8', write: (report, by) => toMarkdown(documentOf(report, by), by) },
  html: { mediaType: 'text/html; charset=utf-8', write: (report, by) => toHtmlPage(documentOf(report, by), by) },
  json: { mediaType: 'application/json; charset=utf-8', write: reportJson },
};

export function renderReport(
  report: StoredReport,
  format: Args<'reports.render'>['format'],
  by: InLocale,
): Result<'reports.render'> {
  const { mediaType, write } = FORMATS[format];
  return { name: `${report.kind}-${report.label}.${format}`, mediaType, text: write(report, by) };
}

function documentOf(report: StoredReport, by: InLocale): Document {
  return reportDocument(report, exportAudience(by));
}

function reportJson(report: StoredReport): string {
  const { kind, label, fetchedAt, goneAt, corrections } = report;
  const metadata = { kind, label, fetchedAt, goneAt, corrections };
  return `${JSON.stringify({ report: reportAsServed(report), broadsheet: metadata }, null, 2)}\n`;
}

export function reportEntries(
  reports: readonly StoredReport[],
  wanted: number,
  by: By,
  format: FeedFormat = 'atom',
): Omit<ExportPart, 'next'> {
  return {
    text: reports.length === 0 ? '' : FEED_OUTPUTS[format].part(reports.map((report) => entryOf(report, by))),
    count: reports.length,
    left: wanted - reports.length,
    updatedAt: reports.reduce<string | null>((last, report) => laterOf(last, changedAt(report)), null),
  };
}

interface Choice {
  kind: ReportKind;
  month?: string | undefined;
}

export function reportFeedFrame(
  { kind, month, format = 'atom', links }: Choice & { format?: FeedFormat; links?: FeedLinks },
  updatedAt: string,
  by: By & { version: string },
): ExportFrame {
  const frame = FEED_OUTPUTS[format].frame({
    id: by.idOf(by.service, 'reports', kind, month ?? ''),
    title: `Broadsheet: ${[reportKinds[kind]({}, by), month ?? m.exported_reports_all({}, by)].join(' · ')}`,
    subtitle: m.exported_items_note({}, by),
    author: serviceLabel(by.service),
    updatedAt: feedTime(updatedAt) ?? updatedAt,
    version: by.version,
    links,
  });
  const of = month ? `${kind}-${month}` : REPORT_RESOURCE[kind];
  return { ...frame, name: frame.name.replace('broadsheet', `broadsheet-${of}`) };
}

function entryOf(report: StoredReport, by: By): FeedEntry {
  const { kind, label, links } = report;
  const document = documentOf(report, by);
  const title = headingOf(document);
  const entry = {
    id: by.idOf(by.service, 'report', kind, label),
    title,
    html: toHtml(document, by),
    url: webAddress(links.aihot),
    page: null,
    author: readableReport(report).attribution?.name ?? '',
    category: null,
    publishedAt: feedTime(report.generatedAt),
    updatedAt: changedAt(report),
  };
  return feedEntry(entry, label);
}

function changedAt({ generatedAt, corrections, kind, label }: StoredReport): string {
  const known = laterOf(feedTime(generatedAt), feedTime(corrections[0]?.at ?? null));
  if (known !== null) return known;
  const day = kind === 'daily' ? label : kind === 'monthly' ? `${label}-01` : `${label.slice(0, 4)}-01-01`;
  return feedTime(asTime(shanghaiMoment(day, '00:00'))) ?? '1970-01-01T00:00:00.000Z';
}

/** In UTF-16 units. E-readers still open it. */
const MAX_BOOK_LENGTH = 32 * 1024 * 1024;

/** Oldest first. Errors: those of the reads, `too_large`. */
export function reportBook(
  reads: readonly (() => StoredReport)[],
  { kind, month }: Choice,
  by: By,
): { name: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> } {
  const chapters: Chapter[] = [];
  const credits = new Set<string>();
  let size = 0;
  for (const read of reads) {
    const report = read();
    const chapter = chapterOf(report, by);
    size += chapter.content.length;
    if (size > MAX_BOOK_LENGTH) {
      throw new BroadsheetError('too_large', 'These reports are too long for one e-book. Choose fewer of them.');
    }
    chapters.push(chapter);
    for (const name of creditsOf(report)) credits.add(name);
  }
  const language = chapters[0]?.language ?? by.locale;
  chapters.sort((one, other) => (one.label < other.label ? -1 : 1));
  const labels = chapters.map(({ label }) => label);
  const span = month ?? (labels.length === 1 ? labels[0] : `${labels[0]} – ${labels.at(-1)}`) ?? '';
  const [only] = chapters.length === 1 && month === undefined ? chapters : [];
  const bytes = toBook({
    id: by.idOf(by.service, 'book', kind, ...(month === undefined ? labels : [month])),
    title: only?.title ?? `${reportKinds[kind]({}, by)} ${span}`,
    creator: serviceLabel(by.service),
    language,
    modifiedAt: chapters.reduce((last, { changedAt: at }) => (at > last ? at : last), ''),
    credits: [...credits],
    note: m.exported_items_note({}, by),
    contents: m.exported_book_contents({}, by),
    dates: span.split(' – '),
    chapters,
  });
  return { name: bookName(kind, month, labels), mediaType: 'application/epub+zip', bytes };
}

function bookName(kind: ReportKind, month: string | undefined, labels: readonly string[]): string {
  if (month !== undefined) return `${REPORT_RESOURCE[kind]}-${month}.epub`;
  return labels.length === 1 ? `${kind}-${labels[0] ?? ''}.epub` : `${REPORT_RESOURCE[kind]}.epub`;
}

function chapterOf(report: StoredReport, by: InLocale): Chapter {
  const { kind, label } = report;
  const { headline, overview, sections } = readableReport(report);
  const document = documentOf(report, by);
  const sample = [headline, overview, ...sections.map(({ items }) => items[0]?.title)].filter(Boolean).join(' ');
  return {
    label,
    file: `${kind}-${label}.xhtml`,
    title: headingOf(document),
    content: toHtml(document, by),
    language: textLanguage(sample) || by.locale,
    changedAt: changedAt(report),
    sections: contentsOf(document),
  };
}

function creditsOf(report: StoredReport): string[] {
  const names = [readableReport(report).attribution?.name, report.links.aihot];
  return names.flatMap((name) => (name?.trim() ? [name.trim()] : []));
}
