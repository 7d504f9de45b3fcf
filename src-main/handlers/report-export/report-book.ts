import { strToU8, zipSync, type Zippable } from 'fflate';
import { exportedReportKind } from '../../common/i18n/labels/reports.ts';
import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { textLanguage } from '../../common/text-language.ts';
import { readableReport } from '../../common/readable-report.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { REPORT_RESOURCE, type ReportKind, type StoredReport } from '../../contract/model/report.ts';
import { stableId, xmlText } from '../export-text/xml-text.ts';
import { bookFiles, chapterText, type Chapter } from './epub-files.ts';
import { changedAt } from './report-feed.ts';
import { reportContent, reportTitle, sectionId, sectionLabels } from './report-html.ts';

/** In UTF-16 units: far more than a hundred usual reports have, and still opened by an e-reader. */
const MOST_TEXT = 32 * 1024 * 1024;

/** The date that zip files begin with: files of equal content are equal. Local time, because zip has no zones. */
const NO_DATE = new Date(1980, 0, 1);

interface BookOf extends InLocale {
  kind: ReportKind;
  /** YYYY-MM; undefined if the book is not of one month. */
  month: string | undefined;
  service: string;
}

/**
 * Reports as one e-book (EPUB 3.3), oldest first; they are read one after another. Errors: those of the reads, and `too_large`.
 */
export function reportBook(
  reads: readonly (() => StoredReport)[],
  { kind, month, service, ...by }: BookOf,
): { name: string; mediaType: string; base64: string } {
  const chapters: Chapter[] = [];
  const files: Zippable = {};
  const credits = new Set<string>();
  let language = '';
  let size = 0;
  for (const read of reads) {
    const report = read();
    const chapter = chapterOf(report, by);
    const text = chapterText(chapter, reportContent(report, by));
    size += text.length;
    if (size > MOST_TEXT) {
      throw new BroadsheetError('too_large', 'These reports are too long for one e-book. Choose fewer of them.');
    }
    chapters.push(chapter);
    files[`EPUB/${chapter.file}`] = strToU8(text);
    for (const name of creditsOf(report)) credits.add(name);
    language ||= chapter.language;
  }
  chapters.sort((one, other) => (one.label < other.label ? -1 : 1));
  const labels = chapters.map(({ label }) => label);
  const span = month ?? (labels.length === 1 ? labels[0] : `${labels[0]} – ${labels.at(-1)}`) ?? '';
  const [only] = chapters.length === 1 && month === undefined ? chapters : [];
  const book = {
    id: stableId(service, 'book', kind, ...(month === undefined ? labels : [month])),
    title: only?.title ?? `${exportedReportKind[kind]({}, by)} ${span}`,
    language: language || by.locale,
    modifiedAt: chapters.reduce((last, { changedAt: at }) => (at > last ? at : last), ''),
    credits: [...credits],
    note: m.exported_items_note({}, by),
    contents: m.exported_book_contents({}, by),
    chapters,
  };
  const frame = Object.entries(bookFiles(book)).map(([name, text]) => [name, strToU8(text)] as const);
  const zip = zipSync(
    // First and not compressed, so that the file type can be told from its first bytes (EPUB 3.3, section 4.2).
    { mimetype: [strToU8('application/epub+zip'), { level: 0 }], ...Object.fromEntries(frame), ...files },
    { level: 6, mtime: NO_DATE },
  );
  return {
    name: nameOf(kind, month, labels),
    mediaType: 'application/epub+zip',
    base64: Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength).toString('base64'),
  };
}

function nameOf(kind: ReportKind, month: string | undefined, labels: readonly string[]): string {
  if (month !== undefined) return `${REPORT_RESOURCE[kind]}-${month}.epub`;
  return labels.length === 1 ? `${kind}-${labels[0] ?? ''}.epub` : `${REPORT_RESOURCE[kind]}.epub`;
}

function chapterOf(report: StoredReport, by: InLocale): Chapter {
  const { kind, label } = report;
  const { name, headline } = reportTitle(report, by);
  const { overview, sections } = readableReport(report);
  const sample = [headline, overview, ...sections.map(({ items }) => items[0]?.title)].filter(Boolean).join(' ');
  return {
    label,
    file: `${kind}-${label}.xhtml`,
    title: xmlText(headline === null ? name : `${name}: ${headline}`),
    language: textLanguage(sample) || by.locale,
    changedAt: changedAt(report),
    sections: sectionLabels(report, by).map((text, at) => ({ id: sectionId(at), label: xmlText(text).trim() })),
  };
}

/** Whom a report and its stories are from, as the service asks to be shown. */
function creditsOf(report: StoredReport): string[] {
  const { attribution } = readableReport(report);
  const names = [attribution?.name, report.links.aihot];
  return names.flatMap((name) => (name?.trim() ? [xmlText(name).trim()] : []));
}
