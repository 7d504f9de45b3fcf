import { z } from 'zod';
import { newestPublished } from '../../common/publication-timetable.ts';
import { readableReport } from '../../common/readable-report.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { report as reportArguments } from '../../contract/guards.ts';
import {
  isReportLabel,
  REPORT_KINDS,
  REPORT_RESOURCE,
  type CitationWithStatus,
  type ReportKind,
  type ReportLine,
} from '../../contract/model/report.ts';
import type { Call } from '../../contract/wire.ts';
import { citationLines, cite, idText, lineOf, linkOf, MAX_LENGTH, passageOf, type Cited } from '../citation.ts';
import {
  nullIfMissing,
  pageArguments,
  pageOf,
  pageText,
  summariesArgument,
  tool,
  type Answer,
  type ToolContext,
} from '../tool.ts';

const LATEST = 'latest';
const NEAREST = 2;
const EXAMPLES = { daily: '2026-11-20', weekly: '2026-W47', monthly: '2026-11' } as const;
const MAX_ENTRIES = 50;
const MAX_OFFSET = 10_000;
const page = pageArguments(MAX_ENTRIES, 30, MAX_OFFSET);

interface QuotedStory extends Cited {
  section: string | null;
  summary: string | null;
  itemId: string | null;
}

const kind = z.enum(REPORT_KINDS).default('daily');

export const getReport = tool({
  name: 'get_report',
  title: 'Read a report',
  description:
    'One saved daily, weekly or monthly report, the latest unless a label is given: overview and stories with their citations.',
  input: z.strictObject({
    kind,
    label: reportArguments.shape.label
      .default(LATEST)
      .describe('latest, a date (2026-11-20), a week (2026-W47) or a month (2026-11)'),
    summaries: summariesArgument,
    ...page,
  }),
  resource: ({ kind }) => REPORT_RESOURCE[kind],
  async run({ kind, label, ...asked }, context): Promise<Answer> {
    if (label !== LATEST && !isReportLabel(kind, label)) {
      const message = `get_report: label: a ${kind} report has a label such as ${EXAMPLES[kind]}, or ${LATEST}`;
      throw new BroadsheetError('invalid_argument', message);
    }
    const saved = await savedReports(kind, context);
    const wanted = label === LATEST ? newestPublished(kind, saved, context.now)?.label : label;
    const found = saved.find((line) => line.label === wanted);
    if (found) return reportAnswer({ kind, label: found.label, ...asked }, context);
    throw new BroadsheetError('not_found', missingText(kind, label, saved));
  },
});

export const listReports = tool({
  name: 'list_reports',
  title: 'List the saved reports',
  description: 'The saved daily, weekly or monthly reports, newest first, with their labels for get_report.',
  input: z.strictObject({ kind, ...page }),
  resource: ({ kind }) => REPORT_RESOURCE[kind],
  async run({ kind, ...asked }, context): Promise<Answer> {
    const { rows, facts } = pageOf(await savedReports(kind, context), asked);
    const reports = rows.map(({ label, headline, generatedAt }) => ({
      label,
      title: lineOf(headline),
      time: lineOf(generatedAt, MAX_LENGTH.name),
    }));
    return {
      intro: `Saved ${kind} reports: ${pageText(reports.length, 'reports', facts)}`,
      facts,
      quoted: { reports },
      lines: reports.map(({ label, title }) => `- ${label}: ${title ?? '(no title)'}`),
    };
  },
});

/** Newest first. */
async function savedReports(kind: ReportKind, { call }: ToolContext): Promise<ReportLine[]> {
  const { lines } = await call('reports.index', { kind });
  return lines.filter(({ stored }) => stored);
}

function missingText(kind: ReportKind, label: string, saved: readonly ReportLine[]): string {
  const labels = saved.map((line) => line.label).toSorted();
  const later = labels.filter((one) => one > label);
  const nearest = [...labels.slice(0, labels.length - later.length).slice(-NEAREST), ...later.slice(0, NEAREST)];
  if (nearest.length === 0) return `No ${kind} report is saved yet.`;
  return `No ${kind} report ${label} is saved. The nearest: ${nearest.join(', ')}.`;
}

interface Asked {
  kind: ReportKind;
  label: string;
  summaries: boolean;
  limit: number;
  offset: number;
}

export async function reportAnswer(
  { kind, label, summaries, ...asked }: Asked,
  { call }: ToolContext,
): Promise<Answer> {
  const report = await call('reports.get', { kind, label });
  const { headline, overview, lead, sections, attribution } = readableReport(report);
  const all = [
    ...(lead ? [quoteStory(lead, null)] : []),
    ...sections.flatMap((section) => section.items.map((item) => quoteStory(item, section.label))),
    ...report.flashes.map((item) => quoteStory(item, 'In brief')),
  ];
  const { rows: bare, facts } = pageOf(all, asked);
  const rows: QuotedStory[] = [];
  for (const { summary, ...story } of bare) {
    const time = story.time ?? (await timeOf(call, story.itemId));
    rows.push({ ...story, time, summary: summaries ? summary : null });
  }
  const shown = {
    kind,
    label,
    title: lineOf(headline),
    overview: asked.offset === 0 ? passageOf(overview) : null,
    page: linkOf(report.links.aihot),
    time: lineOf(report.generatedAt, MAX_LENGTH.name),
    attribution: lineOf(attribution?.name, MAX_LENGTH.name),
    removedAt: report.goneAt,
    corrections: report.corrections.length,
    previous: report.previous,
    next: report.next,
    stories: rows,
  };
  const removed = report.goneAt === null ? '' : ` The news service no longer has it (since ${report.goneAt}).`;
  return {
    intro: `The ${kind} report ${label}: ${pageText(rows.length, 'stories', facts)}${removed}`,
    facts,
    quoted: { report: shown },
    lines: [
      ...(shown.title === null ? [] : [shown.title]),
      ...[shown.time, shown.page].filter((text) => text !== null),
      ...(shown.overview?.split('\n') ?? []),
      ...rows.flatMap((story, at) => storyLines(`${String(asked.offset + at + 1)}.`, story)),
    ],
  };
}

/** Stories of a daily have no time (observed-5-no-times): it is that of the saved item. */
async function timeOf(call: Call, id: string | null): Promise<string | null> {
  const item = id === null ? null : await call('items.get', { id }).catch(nullIfMissing);
  return item?.effectiveAt ?? null;
}

function quoteStory(story: CitationWithStatus, section: string | null): QuotedStory {
  return {
    section: lineOf(section, MAX_LENGTH.name),
    ...cite(story, story.publishedAt),
    summary: passageOf(story.summary, MAX_LENGTH.summary),
    itemId: story.itemId,
  };
}

function storyLines(number: string, story: QuotedStory): string[] {
  const section = story.section === null ? null : `section: ${story.section}`;
  const id = story.itemId === null ? null : `id: ${idText(story.itemId)}`;
  return citationLines(number, story, [section, id, story.summary]);
}
