import { exportedReportCorrection, exportedReportKind } from '../../common/i18n/labels/reports.ts';
import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { readableReport } from '../../common/readable-report.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { Citation, Correction, Section, StoredReport } from '../../contract/model/report.ts';
import { shanghaiTime } from '../../common/shanghai.ts';
import { escaped, linkHtml, oneLine } from '../export-text/html-text.ts';

/** Light and dark on screen, white on paper. Loads nothing. */
const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; padding: 2.5rem 1.25rem; font: 1.0625rem/1.7 Georgia, 'Songti SC', 'Noto Serif CJK SC', 'SimSun', serif; }
main { max-width: 44rem; margin: 0 auto; }
h1 { font-size: 1.9rem; line-height: 1.3; margin: 0.25rem 0 0.75rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 0.5rem; border-bottom: 1px solid; padding-bottom: 0.25rem; }
h3 { font-size: 1.0625rem; line-height: 1.45; margin: 1.25rem 0 0.25rem; }
p { margin: 0.25rem 0 0.75rem; white-space: pre-line; }
a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: 0.15em; }
ul { padding-left: 1.25rem; }
del, ins { white-space: pre-line; }
.kicker, .facts, footer { font: 0.875rem/1.6 system-ui, sans-serif; opacity: 0.8; }
.kicker, .facts { margin: 0; white-space: normal; }
.lead { font-size: 1.125rem; }
footer { margin-top: 3rem; border-top: 1px solid; padding-top: 0.75rem; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
@media print {
  body { padding: 0; font-size: 10.5pt; }
  main { max-width: none; }
  h2, h3 { break-after: avoid; }
  article, li { break-inside: avoid; }
}`;

/** What a report is called, and its headline. */
export function reportTitle(report: StoredReport, by: InLocale): { name: string; headline: string | null } {
  const { headline } = readableReport(report);
  const name = `${exportedReportKind[report.kind]({}, by)} ${report.label}`;
  return { name, headline: headline?.trim() ? oneLine(headline) : null };
}

/** A self-contained page for reading and printing: all text is escaped, no scripts, no external resources. */
export function reportHtml(report: StoredReport, by: InLocale): string {
  const { name, headline } = reportTitle(report, by);
  return `<!doctype html>
<html lang="${by.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(headline === null ? name : `${name}: ${headline}`)}</title>
<style>${STYLE}
</style>
</head>
<body>
<main>
${reportContent(report, by)}
</main>
</body>
</html>
`;
}

/** The content of the page: well-formed as HTML and as XML. The sections have the ids of {@link sectionId}. */
export function reportContent(report: StoredReport, by: InLocale): string {
  const { flashes, corrections } = report;
  const { headline, overview, lead, sections, attribution } = readableReport(report);
  const { name } = reportTitle(report, by);
  const title = headline?.trim() ? headline : name;
  return `<header>
<p class="kicker">${escaped(name)}</p>
<h1 dir="auto">${lead ? linkHtml(lead.links.original, escaped(title)) : escaped(title)}</h1>
${factsOf(report, by)}
${overview?.trim() ? `<p class="lead" dir="auto">${escaped(overview)}</p>` : ''}
${lead ? `<p class="facts">${citationFacts(lead, by).join(' · ')}</p>` : ''}
</header>
${sections.map((section, at) => sectionHtml(section, by, at)).join('\n')}
${flashes.length === 0 ? '' : sectionHtml({ label: m.exported_report_flashes({}, by), summary: null, items: flashes, extra: {} }, by, sections.length)}
${corrections.length === 0 ? '' : correctionsHtml(corrections, by)}
${footerHtml({ ...report, attribution }, by)}`;
}

/** The id of a section by its place, from 0. */
export function sectionId(at: number): string {
  return `section-${at + 1}`;
}

/** The labels of the sections, in the order of their ids. */
export function sectionLabels(report: StoredReport, by: InLocale): string[] {
  const labels = readableReport(report).sections.map(({ label }) => label);
  return report.flashes.length === 0 ? labels : [...labels, m.exported_report_flashes({}, by)];
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
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  const gone =
    goneAt === null
      ? ''
      : `<p class="facts">${escaped(`${m.exported_report_gone({}, by)} ${shanghaiTime(goneAt) ?? ''}`)}</p>`;
  return `<p class="facts">${facts.map((fact) => escaped(String(fact))).join(' · ')}</p>${gone}`;
}

function sectionHtml({ label, summary, items }: Section, by: InLocale, at: number): string {
  const intro = summary?.trim() ? `\n<p dir="auto">${escaped(summary)}</p>` : '';
  return `<section id="${sectionId(at)}">
<h2 dir="auto">${escaped(label)}</h2>${intro}
${items.map((item) => citationHtml(item, by)).join('\n')}
</section>`;
}

function citationHtml(citation: Citation, by: InLocale): string {
  const { title, summary, links } = citation;
  return `<article>
<h3 dir="auto">${linkHtml(links.original, escaped(title))}</h3>
<p class="facts">${citationFacts(citation, by).join(' · ')}</p>${summary?.trim() ? `\n<p dir="auto">${escaped(summary)}</p>` : ''}
</article>`;
}

function citationFacts({ source, links, publishedAt, attribution }: Citation, by: InLocale): string[] {
  return [
    escaped(sourceLabel(source.name)),
    publishedAt && escaped(shanghaiTime(publishedAt) ?? ''),
    links.aihot && linkHtml(links.aihot, escaped(m.exported_report_page({}, by))),
    attribution &&
      `${escaped(m.exported_report_by({}, by))} ${linkHtml(attribution.url, escaped(attribution.name ?? attribution.url ?? ''))}`,
  ].filter((fact): fact is string => Boolean(fact));
}

function correctionsHtml(corrections: readonly Correction[], by: InLocale): string {
  const lines = corrections.map(({ at, kind, section, text }) => {
    const place =
      section === 'flashes' ? m.exported_report_flashes({}, by) : (section ?? m.exported_report_whole_report({}, by));
    const what = `${shanghaiTime(at) ?? at} · ${exportedReportCorrection[kind]({}, by)} · ${place}`;
    const texts = text
      ? `\n<p dir="auto"><span class="facts">${escaped(m.exported_report_before({}, by))}</span> <del>${escaped(text.before)}</del></p>
<p dir="auto"><span class="facts">${escaped(m.exported_report_after({}, by))}</span> <ins>${escaped(text.after)}</ins></p>`
      : '';
    return `<li>${escaped(what)}${texts}</li>`;
  });
  return `<section>
<h2>${escaped(m.exported_report_corrections({}, by))}</h2>
<ul>
${lines.join('\n')}
</ul>
</section>`;
}

function footerHtml({ links, attribution, fetchedAt }: StoredReport, by: InLocale): string {
  const parts = [
    attribution &&
      `${escaped(m.exported_report_by({}, by))} ${linkHtml(attribution.url, escaped(attribution.name ?? attribution.url ?? ''))}`,
    links.aihot && linkHtml(links.aihot, escaped(m.exported_report_page({}, by))),
    escaped(`${m.exported_report_saved({}, by)} ${shanghaiTime(fetchedAt) ?? ''}`),
  ].filter(Boolean);
  return `<footer>${parts.join(' · ')}</footer>`;
}
