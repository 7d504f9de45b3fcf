import type { Citation, Correction, Section, StoredReport } from '../../contract/model/report.ts';
import { shanghaiTime, type ReportWords } from './report-messages.ts';

/** A report as Markdown (CommonMark). The service's texts are data: nothing in them is a mark of the language. */
export function reportMarkdown(report: StoredReport, words: ReportWords): string {
  const { kind, label, headline, overview, sections, flashes, corrections } = report;
  const name = `${words.kind[kind]} ${label}`;
  const brief = { label: words.flashes, summary: null, items: flashes, extra: {} };
  const parts = [
    `# ${headline?.trim() ? `${name}: ${inline(headline)}` : name}`,
    factsOf(report, words),
    paragraphs(overview),
    ...sections.map((section) => sectionMarkdown(section, words)),
    flashes.length === 0 ? '' : sectionMarkdown(brief, words),
    corrections.length === 0 ? '' : correctionsMarkdown(corrections, words),
    '---',
    footer(report, words),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A text on one line in which no character means anything. */
function inline(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/\p{Cc}/gu, '\ufffd')
      .replace(/[\\`*_[\]<>~|$&]/g, '\\$&')
      // These mean something only where a line begins.
      .replace(/^[#+=-]/, '\\$&')
      .replace(/^(\d+)([.)])/, '$1\\$2')
  );
}

function paragraphs(text: string | null): string {
  return (text ?? '')
    .split(/\r\n?|\n/)
    .map(inline)
    .filter((line) => line !== '')
    .join('\n\n');
}

function link(url: string | null | undefined, text: string): string {
  const target = url ? URL.parse(url) : null;
  if (!target || !/^https?:$/.test(target.protocol)) return text;
  return `[${text}](<${target.href.replace(/[<>\\]/g, encodeURIComponent)}>)`;
}

function factsOf(
  { generatedAt, periodStart, periodEnd, windowStart, windowEnd, goneAt }: StoredReport,
  words: ReportWords,
): string {
  const [start, end] = periodStart ? [periodStart, periodEnd] : [shanghaiTime(windowStart), shanghaiTime(windowEnd)];
  const facts = [
    generatedAt && `${words.published} ${shanghaiTime(generatedAt) ?? ''}`,
    start && end && `${words.covers} ${start} – ${end}`,
    words.zone,
    goneAt && `${words.gone} ${shanghaiTime(goneAt) ?? ''}`,
  ];
  return facts.flatMap((fact) => (fact ? [inline(fact)] : [])).join(' · ');
}

function sectionMarkdown({ label, summary, items }: Section, words: ReportWords): string {
  const entries = items.map((item) => citationMarkdown(item, words));
  return [`## ${inline(label)}`, paragraphs(summary), ...entries].filter((part) => part !== '').join('\n\n');
}

function citationMarkdown(
  { title, summary, source, links, publishedAt, attribution }: Citation,
  words: ReportWords,
): string {
  const facts = [
    source.name && inline(source.name),
    publishedAt && inline(shanghaiTime(publishedAt) ?? ''),
    links.aihot && link(links.aihot, inline(words.page)),
    attribution && `${inline(words.by)} ${link(attribution.url, inline(attribution.name ?? attribution.url ?? ''))}`,
  ].filter(Boolean);
  return [`### ${link(links.original, inline(title))}`, facts.join(' · '), paragraphs(summary)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function correctionsMarkdown(corrections: readonly Correction[], words: ReportWords): string {
  const lines = corrections.map(({ at, kind, section, text }) => {
    const place = section === 'flashes' ? words.flashes : (section ?? words.wholeReport);
    const what = `- ${inline(`${shanghaiTime(at) ?? at} · ${words.correction[kind]} · ${place}`)}`;
    if (!text) return what;
    return [what, `  - ${words.before}: ${inline(text.before)}`, `  - ${words.after}: ${inline(text.after)}`].join(
      '\n',
    );
  });
  return `## ${words.corrections}\n\n${lines.join('\n')}`;
}

function footer({ links, attribution, fetchedAt }: StoredReport, words: ReportWords): string {
  const parts = [
    attribution && `${inline(words.by)} ${link(attribution.url, inline(attribution.name ?? attribution.url ?? ''))}`,
    links.aihot && link(links.aihot, inline(words.page)),
    inline(`${words.stored} ${shanghaiTime(fetchedAt) ?? ''}`),
  ];
  return parts.filter(Boolean).join(' · ');
}
