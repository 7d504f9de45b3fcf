import { exportedReportCorrection, reportKinds } from '../common/i18n/labels.ts';
import { m } from '../common/i18n/messages.ts';
import { oldCheckOf, readableReport } from '../common/readable-report.ts';
import { sourceLabel } from '../common/source-label.ts';
import type { Citation, CitationWithStatus, Correction, StoredReport } from '../contract/model/report.ts';
import {
  creditOf,
  createDocument,
  fact,
  field,
  textBlock,
  timeField,
  type Audience,
  type Document,
  type Entry,
  type Fact,
  type Section,
} from './document.ts';

export function reportDocument(report: StoredReport, by: Audience, now = Date.now()): Document {
  const { kind, label, flashes, corrections, goneAt } = report;
  const { headline, overview, lead, sections, attribution } = readableReport(report);
  const entries = [
    ...sections,
    ...(flashes.length === 0 ? [] : [{ label: m.report_flashes({}, by), summary: null, items: flashes }]),
  ];
  return createDocument({
    name: `${reportKinds[kind]({}, by)} ${label}`,
    title: headline?.trim() ? headline : null,
    link: lead?.links.original ?? null,
    facts: by.fields ? fieldsOf(report, by, now) : factsOf(report, by),
    notices: goneAt === null || by.fields ? [] : fact(`${m.exported_report_gone({}, by)} ${by.time(goneAt)}`),
    intro: [...textBlock(overview), ...(lead ? [{ ...entryOf(lead, by), title: null, text: null }] : [])],
    blocks: [
      ...entries.map((section, at) => sectionOf(section, at, by)),
      ...(corrections.length === 0 ? [] : [correctionsOf(corrections, by)]),
    ],
    footer: by.fields
      ? []
      : [
          ...creditOf(attribution, by),
          ...fact(report.links.aihot && m.view_service_page({}, by), report.links.aihot),
          ...fact(`${m.exported_report_saved({}, by)} ${by.time(report.fetchedAt)}`),
        ],
  });
}

function factsOf(report: StoredReport, by: Audience): Fact[] {
  const { generatedAt, periodStart, periodEnd, windowStart, windowEnd } = report;
  const timeOf = (at: string | null): string | null => at && by.time(at);
  const [start, end] = periodStart ? [periodStart, periodEnd] : [timeOf(windowStart), timeOf(windowEnd)];
  return [
    ...fact(generatedAt && `${m.report_generated({}, by)} ${by.time(generatedAt)}`),
    ...fact(start && end && `${m.report_window({}, by)} ${start} – ${end}`),
    ...fact(m.shanghai_time({}, by)),
  ];
}

function fieldsOf(report: StoredReport, by: Audience, now: number): Fact[] {
  const { generatedAt, periodStart, periodEnd, links, goneAt, readAt, previous, next } = report;
  const { attribution } = readableReport(report);
  return [
    ...timeField('Published', generatedAt, by),
    ...field('Period', periodStart && `${periodStart} to ${periodEnd ?? '-'}`),
    ...timeField('Checked', oldCheckOf(report, now) === null ? null : report.checkedAt, by),
    ...field('Page', links.aihot),
    ...field('Attribution', attribution && [attribution.name, attribution.url].filter(Boolean).join(' ')),
    ...timeField('Removed', goneAt, by),
    ...field('State', readAt === null ? 'unread' : 'read'),
    ...field('Previous', previous),
    ...field('Next', next),
  ];
}

type Entries = Pick<StoredReport['sections'][number], 'label' | 'summary' | 'items'>;

function sectionOf({ label, summary, items }: Entries, at: number, by: Audience): Section {
  const blocks = [...textBlock(summary), ...items.map((item) => entryOf(item, by))];
  return { is: 'section', id: `section-${at + 1}`, title: label, blocks };
}

function entryOf(citation: CitationWithStatus, by: Audience): Entry {
  const { title, summary, links, readAt } = citation;
  const facts = citationFacts(citation, by);
  return { is: 'entry', title, link: links.original, facts, text: summary, unread: readAt === null };
}

function citationFacts({ source, links, publishedAt, attribution }: Citation, by: Audience): Fact[] {
  const facts = [...fact(sourceLabel(source.name)), ...fact(publishedAt && by.time(publishedAt))];
  if (by.fields) return facts;
  const page = fact(links.aihot && m.view_service_page({}, by), links.aihot);
  return [...facts, ...page, ...creditOf(attribution, by)];
}

function correctionsOf(corrections: readonly Correction[], by: Audience): Section {
  const changes = corrections.map(({ at, kind, section, text }) => {
    const part = section === 'flashes' ? m.report_flashes({}, by) : (section ?? m.report_in_report({}, by));
    return { what: `${by.time(at)} · ${exportedReportCorrection[kind]({}, by)} · ${part}`, texts: text };
  });
  const title = m.report_corrections({}, by);
  return { is: 'section', id: null, title, blocks: [{ is: 'changes', changes }] };
}
