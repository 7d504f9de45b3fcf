import { oldCheckOf } from '../../common/report-check.ts';
import { readableReport } from '../../common/readable-report.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { Correction, CitationWithStatus, StoredReport } from '../../contract/model/report.ts';
import { bold, line, lines, type Text } from '../styled-text.ts';
import { localTime, oneLine, severalLines } from '../terminal.ts';
import { factLines } from './reading.ts';

/** A report as text for the terminal. */
export function reportText(report: StoredReport, now = Date.now()): Text {
  const { kind, label, flashes, corrections } = report;
  const { headline, overview, lead, sections } = readableReport(report);
  return lines([
    bold(`${kind} ${label}${headline === null ? '' : `: ${headline}`}`),
    ...factLines(factsOf(report, now)),
    ...(overview ? ['', severalLines(overview)] : []),
    ...(lead ? leadText(lead) : []),
    ...sections.flatMap((section) => sectionText(section.label, section.summary, section.items)),
    ...(flashes.length === 0 ? [] : sectionText('Flashes', null, flashes)),
    ...(corrections.length === 0 ? [] : ['', bold('== Corrections'), ...corrections.map(correctionText)]),
  ]);
}

function factsOf(report: StoredReport, now: number): [name: string, value: string | null][] {
  const { generatedAt, periodStart, periodEnd, links, goneAt, readAt, previous, next } = report;
  const { attribution } = readableReport(report);
  return [
    ['Published', generatedAt && localTime(generatedAt)],
    ['Period', periodStart && `${periodStart} to ${periodEnd ?? '-'}`],
    ['Checked', oldCheckOf(report, now) === null ? null : localTime(report.checkedAt)],
    ['Page', links.aihot],
    ['Attribution', attribution && [attribution.name, attribution.url].filter(Boolean).join(' ')],
    ['Removed', goneAt && localTime(goneAt)],
    ['State', readAt === null ? 'unread' : 'read'],
    ['Previous', previous],
    ['Next', next],
  ];
}

function sectionText(label: string, summary: string | null, items: readonly CitationWithStatus[]): Text[] {
  return ['', bold(`== ${label}`), ...(summary ? [severalLines(summary)] : []), ...items.flatMap(citationText)];
}

function citationText({ title, summary, source, links, readAt }: CitationWithStatus): Text[] {
  const label = sourceLabel(source.name);
  const head = line`${readAt === null ? 'o' : ' '} ${bold(title)}${label === '' ? '' : ` - ${label}`}`;
  return ['', head, ...[links.original, summary].flatMap((text) => (text ? [severalLines(text)] : []))];
}

/** The story that the lead repeats, without its title and summary. */
function leadText({ source, links, readAt }: CitationWithStatus): string[] {
  const head = `${readAt === null ? 'o' : ' '} ${sourceLabel(source.name) || '-'}`;
  return [oneLine(head), ...(links.original ? [severalLines(links.original)] : [])];
}

function correctionText({ at, kind, section, text }: Correction): string {
  const what = text === null ? '' : `: ${text.field}: "${text.before}" -> "${text.after}"`;
  return oneLine(`${localTime(at)} ${kind}${section === null ? '' : ` in ${section}`}${what}`);
}
