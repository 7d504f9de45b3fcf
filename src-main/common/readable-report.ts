import type { CitationWithStatus, StoredReport } from '../contract/model/report.ts';
import type { ReportLength } from '../contract/model/today.ts';
import { countMatches, nameKey } from './text.ts';

type Section = StoredReport['sections'][number];

export interface ReadableReport extends Pick<StoredReport, 'headline' | 'overview' | 'attribution' | 'sections'> {
  /** The first story of a daily if it only repeats the lead; no section has it then. */
  lead: CitationWithStatus | null;
}

/** Fills gaps from the index entry, and removes a lead that the first story repeats (observed-5-lead). */
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
      overview: joinTexts(shown.overview, first.summary),
      lead: first,
      sections: withoutFirst(sections, at),
    };
  }
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

function joinTexts(one: string | null, other: string | null): string | null {
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

function comparable(text: string): string {
  return nameKey(text).replace(/[\p{P}\s]+/gu, '');
}

const DAY = 24 * 3_600_000;

/** Returns the last comparison with the service, in ms since 1970, if the next is a day or more overdue. */
export function oldCheckOf(
  { checkedAt, freshUntil }: Pick<StoredReport, 'checkedAt' | 'freshUntil'>,
  now: number,
): number | null {
  return now - Date.parse(freshUntil) >= DAY ? Date.parse(checkedAt) : null;
}

type Parts = Pick<ReadableReport, 'lead' | 'sections'> & Pick<StoredReport, 'flashes'>;

export function storiesOf({ lead, sections, flashes }: Parts): CitationWithStatus[] {
  return [...(lead ? [lead] : []), ...sections.flatMap(({ items }) => items), ...flashes];
}

/** A story without an address can't be marked. */
export function isUnread({ key, readAt }: Pick<CitationWithStatus, 'key' | 'readAt'>): boolean {
  return key !== null && readAt === null;
}

export function reportLength(report: StoredReport): ReportLength {
  const { lead, headline, overview, sections } = readableReport(report);
  const stories = storiesOf({ lead, sections, flashes: report.flashes });
  return {
    stories: stories.length,
    minutes: readingMinutes([
      headline,
      overview,
      ...sections.map(({ summary }) => summary),
      ...stories.filter((story) => story !== lead).flatMap(({ title, summary }) => [title, summary]),
    ]),
    read: stories.filter(({ readAt }) => readAt !== null).length,
    unread: stories.filter(isUnread).length,
  };
}

/** Silent reading: 238 English words (Brysbaert 2019, a review of 190 studies), at 1.6 Chinese characters a word. */
const WORDS_A_MINUTE = 240;
const CJK_CHARACTERS_A_MINUTE = 400;

/** Chinese, Japanese and Korean characters are counted one by one. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** `don't`, `2.5` and `state-of-the-art` are one word each. */
const WORD = /[\p{L}\p{N}]+(?:['’.,_-][\p{L}\p{N}]+)*/gu;

export function readingMinutes(texts: Iterable<string | null>): number {
  let minutes = 0;
  for (const text of texts) {
    if (!text) continue;
    minutes += countMatches(text, CJK) / CJK_CHARACTERS_A_MINUTE;
    minutes += countMatches(text.replace(CJK, ' '), WORD) / WORDS_A_MINUTE;
  }
  return minutes === 0 ? 0 : Math.max(1, Math.round(minutes));
}
