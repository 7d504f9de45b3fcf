import type { CitationWithStatus, StoredReport } from '../contract/model/report.ts';
import { nameKey } from './text.ts';

type Section = StoredReport['sections'][number];

/** A report as every view and export shows it. */
export interface ReadableReport extends Pick<StoredReport, 'headline' | 'overview' | 'attribution' | 'sections'> {
  /** The first story of a daily if it only repeats the lead: shown there, and in no section. */
  lead: CitationWithStatus | null;
}

/**
 * Fills what the report lacks from its index entry, and shows a lead that the first story repeats only once
 * (observed-5-lead).
 */
export function readableReport(report: StoredReport): ReadableReport {
  const { listed, sections } = report;
  const hasLead = report.headline !== null || report.overview !== null;
  const shown = {
    headline: hasLead ? report.headline : listed.headline,
    overview: hasLead ? report.overview : listed.overview,
    attribution: report.attribution ?? listed.attribution,
  };
  const at = sections.findIndex(({ items }) => items.length > 0);
  const first = sections[at]?.items[0];
  if (report.kind !== 'daily' || !first) return { ...shown, sections, lead: null };
  if (isSame(first.title, shown.headline)) {
    return {
      ...shown,
      overview: joined(shown.overview, first.summary),
      lead: first,
      sections: withoutFirst(sections, at),
    };
  }
  // Another title for the same text: the story keeps its title.
  if (isSame(first.summary, shown.overview)) return { ...shown, sections: withoutSummary(sections, at), lead: null };
  return { ...shown, sections, lead: null };
}

function withoutFirst(sections: readonly Section[], at: number): Section[] {
  return sections.flatMap((section, index) => {
    if (index !== at) return [section];
    const items = section.items.slice(1);
    return items.length === 0 && !section.summary?.trim() ? [] : [{ ...section, items }];
  });
}

function withoutSummary(sections: readonly Section[], at: number): Section[] {
  const bare = (section: Section): Section => ({
    ...section,
    items: section.items.map((item, index) => (index === 0 ? { ...item, summary: null } : item)),
  });
  return sections.map((section, index) => (index === at ? bare(section) : section));
}

/** Both texts, or the longer one if it contains the other. */
function joined(one: string | null, other: string | null): string | null {
  const texts = [one, other].filter((text): text is string => Boolean(text?.trim()));
  const [first, second] = texts;
  if (first === undefined || second === undefined) return first ?? null;
  if (comparable(first).includes(comparable(second))) return first;
  return comparable(second).includes(comparable(first)) ? second : `${first}\n\n${second}`;
}

function isSame(one: string | null, other: string | null): boolean {
  const text = comparable(one ?? '');
  return text !== '' && text === comparable(other ?? '');
}

/** Without differences of case, width, spacing and punctuation. */
function comparable(text: string): string {
  return nameKey(text).replace(/[\p{P}\s]+/gu, '');
}
