import { exportedReportCorrection, exportedReportKind } from '../../common/i18n/labels/reports.ts';
import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { readableReport } from '../../common/readable-report.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { Citation, Correction, Section, StoredReport } from '../../contract/model/report.ts';
import { shanghaiTime } from '../../common/shanghai.ts';
import { inline, link, paragraphs } from '../export-text/markdown-text.ts';

/** A report as Markdown (CommonMark). The service's texts are escaped, so that none of it acts as markup. */
export function reportMarkdown(report: StoredReport, by: InLocale): string {
  const { kind, label, flashes, corrections } = report;
  const { headline, overview, lead, sections, attribution } = readableReport(report);
  const name = `${exportedReportKind[kind]({}, by)} ${label}`;
  const brief = { label: m.exported_report_flashes({}, by), summary: null, items: flashes, extra: {} };
  const parts = [
    `# ${headline?.trim() ? `${name}: ${inline(headline)}` : name}`,
    factsOf(report, by),
    paragraphs(overview),
    lead ? leadMarkdown(lead, by) : '',
    ...sections.map((section) => sectionMarkdown(section, by)),
    flashes.length === 0 ? '' : sectionMarkdown(brief, by),
    corrections.length === 0 ? '' : correctionsMarkdown(corrections, by),
    '---',
    footer({ ...report, attribution }, by),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function factsOf(
  { generatedAt, periodStart, periodEnd, windowStart, windowEnd, goneAt }: StoredReport,
  by: InLocale,
): string {
  const [start, end] = periodStart ? [periodStart, periodEnd] : [shanghaiTime(windowStart), shanghaiTime(windowEnd)];
  const facts = [
    generatedAt && `${m.exported_report_published({}, by)} ${shanghaiTime(generatedAt) ?? ''}`,
    start && end && `${m.exported_report_covers({}, by)} ${start} – ${end}`,
    m.exported_report_zone({}, by),
    goneAt && `${m.exported_report_gone({}, by)} ${shanghaiTime(goneAt) ?? ''}`,
  ];
  return facts.flatMap((fact) => (fact ? [inline(fact)] : [])).join(' · ');
}

function sectionMarkdown({ label, summary, items }: Section, by: InLocale): string {
  const entries = items.map((item) => citationMarkdown(item, by));
  return [`## ${inline(label)}`, paragraphs(summary), ...entries].filter((part) => part !== '').join('\n\n');
}

/** The story that the lead repeats, without its title and summary. */
function leadMarkdown(lead: Citation, by: InLocale): string {
  const { original } = lead.links;
  const text = inline(m.article_open_original({}, by));
  const opened = link(original, text);
  return [...(opened === text ? [] : [opened]), ...citationFacts(lead, by)].join(' · ');
}

function citationMarkdown(citation: Citation, by: InLocale): string {
  const { title, summary, links } = citation;
  return [`### ${link(links.original, inline(title))}`, citationFacts(citation, by).join(' · '), paragraphs(summary)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function citationFacts({ source, links, publishedAt, attribution }: Citation, by: InLocale): string[] {
  return [
    inline(sourceLabel(source.name)),
    publishedAt && inline(shanghaiTime(publishedAt) ?? ''),
    links.aihot && link(links.aihot, inline(m.exported_report_page({}, by))),
    attribution &&
      `${inline(m.exported_report_by({}, by))} ${link(attribution.url, inline(attribution.name ?? attribution.url ?? ''))}`,
  ].filter((fact): fact is string => Boolean(fact));
}

function correctionsMarkdown(corrections: readonly Correction[], by: InLocale): string {
  const lines = corrections.map(({ at, kind, section, text }) => {
    const place =
      section === 'flashes' ? m.exported_report_flashes({}, by) : (section ?? m.exported_report_whole_report({}, by));
    const what = `- ${inline(`${shanghaiTime(at) ?? at} · ${exportedReportCorrection[kind]({}, by)} · ${place}`)}`;
    if (!text) return what;
    return [
      what,
      `  - ${m.exported_report_before({}, by)}: ${inline(text.before)}`,
      `  - ${m.exported_report_after({}, by)}: ${inline(text.after)}`,
    ].join('\n');
  });
  return `## ${m.exported_report_corrections({}, by)}\n\n${lines.join('\n')}`;
}

function footer({ links, attribution, fetchedAt }: StoredReport, by: InLocale): string {
  const parts = [
    attribution &&
      `${inline(m.exported_report_by({}, by))} ${link(attribution.url, inline(attribution.name ?? attribution.url ?? ''))}`,
    links.aihot && link(links.aihot, inline(m.exported_report_page({}, by))),
    inline(`${m.exported_report_saved({}, by)} ${shanghaiTime(fetchedAt) ?? ''}`),
  ];
  return parts.filter(Boolean).join(' · ');
}
