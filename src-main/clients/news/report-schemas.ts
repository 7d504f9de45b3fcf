import { z } from 'zod';
import { LABEL_FIELD } from '../../common/report-json.ts';
import {
  isReportLabel,
  type Citation,
  type Report,
  type ReportHeader,
  type ReportKind,
  type Section,
} from '../../contract/model/report.ts';
import type { Json, JsonObject } from '../../contract/model/model.ts';
import {
  attributionOf,
  linksReader,
  list,
  namesOf,
  PARAGRAPH,
  sourceOf,
  text,
  textOf,
  time,
  title,
} from '../parsing/fields.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  distinctBy,
  lostField,
  lostFields,
  readList,
  readRecords,
  skip,
  skipFor,
  unknownMembers,
  type Parsed,
  type Records,
  type Skipped,
} from '../parsing/records.ts';

/** Document 1 section 8. */
export const MAX_INDEX_LENGTH: Readonly<Record<ReportKind, number>> = { daily: 180, weekly: 60, monthly: 60 };

export interface ParsedReport {
  report: Report;
  skipped: Skipped[];
}

const MAX_QUOTE = 20;

const paragraph = textOf(PARAGRAPH);
const headFields = z.object({ generatedAt: time, periodStart: time, periodEnd: time, headline: text });
const lineFields = headFields.extend({ leadTitle: text, leadParagraph: paragraph });
const leadFields = z.object({ title: text, leadParagraph: paragraph });
const reportFields = headFields.extend({
  windowStart: time,
  windowEnd: time,
  overview: paragraph,
  lead: leadFields.nullish().catch(null),
});
const sectionFields = z.object({ label: text, summary: paragraph });
const citationFields = z.object({ title, summary: paragraph, publishedAt: time });

/** Real reports have up to 6 sections with 50 entries together, of a thousand characters each. */
const SECTION_LIMITS = { most: 100, room: 2_000_000 };
const ENTRY_LIMITS = { most: 500, room: 1_000_000 };

const LEAD_FIELDS = namesOf(leadFields);
const SECTION_FIELDS = namesOf(sectionFields, 'items');
const CITATION_FIELDS = namesOf(citationFields, 'source', 'links', 'attribution');
const pageLinks = linksReader('aihot');
const citationLinks = linksReader('aihot', 'original');

const indexEnvelope = z.object({ items: list });
const reportEnvelope = z.object({ report: z.record(z.string(), z.unknown(), 'is missing or not an object') });

/** Counts entries beyond `limit` as one skipped record; the newest come first. Errors: `invalid_body`. */
export function readReportIndex(kind: ReportKind, value: unknown, limit: number): Records<ReportHeader> {
  const { items } = checkEnvelope(indexEnvelope, value);
  const lines = readRecords(items.slice(0, limit), (raw) => readLine(kind, raw));
  const { records, skipped } = distinctBy(lines, ({ label }) => label);
  if (items.length <= limit) return { records, skipped };
  const reason = `the index has ${String(items.length)} entries instead of ${String(limit)}; the rest is left out`;
  return { records, skipped: [...skipped, { reason }] };
}

export function readReport(kind: ReportKind, value: unknown): ParsedReport {
  const report = checkEnvelope(reportEnvelope, value).report as JsonObject;
  const label = labelIn(kind, report);
  if (label === null) throw brokenEnvelope(`its ${wrongLabel(kind, report)}`);
  return toReport(kind, label, report);
}

function readLine(kind: ReportKind, raw: JsonObject): Parsed<ReportHeader> {
  const label = labelIn(kind, raw);
  if (label === null) return skip(raw, wrongLabel(kind, raw));
  const fields = lineFields.parse(raw);
  const { leadTitle, leadParagraph, headline } = fields;
  const isDaily = kind === 'daily';
  const known = namesOf(isDaily ? lineFields : headFields, 'links', 'attribution', LABEL_FIELD[kind]);
  return {
    record: {
      ...toHead(kind, label, raw, fields),
      headline: isDaily ? leadTitle : headline,
      overview: isDaily ? leadParagraph : null,
      extra: unknownMembers(raw, known),
    },
  };
}

function toHead(
  kind: ReportKind,
  label: string,
  raw: JsonObject,
  { generatedAt, periodStart, periodEnd }: z.output<typeof headFields>,
): Omit<ReportHeader, 'headline' | 'overview' | 'extra'> {
  return { kind, label, generatedAt, periodStart, periodEnd, links: pageLinks(raw), attribution: attributionOf(raw) };
}

function toReport(kind: ReportKind, label: string, raw: JsonObject): ParsedReport {
  const fields = reportFields.parse(raw);
  const daily = kind === 'daily';
  const sections = readList(raw['sections'], readSection, SECTION_LIMITS);
  const flashes = readCitations(daily ? raw['flashes'] : []);
  const skipped = [...sections.skipped, ...sections.records.flatMap(({ skipped }) => skipped), ...flashes.skipped];
  const report: Report = {
    ...toHead(kind, label, raw, fields),
    windowStart: fields.windowStart,
    windowEnd: fields.windowEnd,
    headline: (daily ? fields.lead?.title : fields.headline) ?? null,
    overview: (daily ? fields.lead?.leadParagraph : fields.overview) ?? null,
    sections: sections.records.map(({ section }) => section),
    flashes: flashes.records,
    extra: extraOf(kind, raw),
  };
  skipped.push(...lostFields(raw, report).map((name) => lostField(raw, name)));
  return { report, skipped };
}

function extraOf(kind: ReportKind, raw: JsonObject): Record<string, Json> {
  const common = ['generatedAt', 'windowStart', 'windowEnd', 'links', 'attribution', 'sections', LABEL_FIELD[kind]];
  const own = kind === 'daily' ? ['lead', 'flashes'] : ['periodStart', 'periodEnd', 'headline', 'overview'];
  const lead = unknownMembers(raw['lead'], LEAD_FIELDS);
  const more = kind === 'daily' && Object.keys(lead).length > 0 ? { lead } : {};
  return { ...unknownMembers(raw, new Set([...common, ...own])), ...more };
}

interface ParsedSection {
  section: Section;
  skipped: Skipped[];
}

/** Accepts sections without a label or items (observed-5-empty-sections). */
function readSection(raw: JsonObject): Parsed<ParsedSection> {
  const { label, summary } = sectionFields.parse(raw);
  const { records, skipped } = readCitations(raw['items']);
  const extra = unknownMembers(raw, SECTION_FIELDS);
  const section = { label: label ?? '', summary, items: records, extra };
  return { record: { section, skipped }, lost: lostFields(raw, section) };
}

/** Compares every field, because citations have no id. */
function readCitations(values: Json | undefined): Records<Citation> {
  return distinctBy(readList(values, readCitation, ENTRY_LIMITS), (citation) => JSON.stringify(citation));
}

function readCitation(raw: JsonObject): Parsed<Citation> {
  const checked = citationFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { title, summary, publishedAt } = checked.data;
  return {
    record: {
      title,
      summary,
      source: sourceOf(raw),
      links: citationLinks(raw),
      publishedAt,
      attribution: attributionOf(raw),
      extra: unknownMembers(raw, CITATION_FIELDS),
    },
  };
}

/** Accepts labels of the calendar only: they become part of a path and are compared as dates. */
function labelIn(kind: ReportKind, raw: JsonObject): string | null {
  const label = raw[LABEL_FIELD[kind]];
  return typeof label === 'string' && isReportLabel(kind, label) ? label : null;
}

function wrongLabel(kind: ReportKind, raw: JsonObject): string {
  const label = raw[LABEL_FIELD[kind]];
  if (typeof label !== 'string') return `${LABEL_FIELD[kind]} is missing or not a text`;
  return `${LABEL_FIELD[kind]} is not in the calendar: ${JSON.stringify(label.slice(0, MAX_QUOTE))}`;
}
