import { oneLine, plainText } from '../../../src-main/common/text.ts';
import { fact } from '../../../src-main/render/document.ts';
import { toMarkdownLine } from '../../../src-main/render/outputs/markdown.ts';
import { reportName } from '../../../src-main/common/i18n/labels.ts';
import { readableReport } from '../../../src-main/common/readable-report.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { instant } from '../../../src-main/common/time.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { StoredReport } from '../../../src-main/contract/model/report.ts';
import type { StoredStory } from '../../../src-main/contract/model/story.ts';
import { language } from '../../ui/language.svelte.ts';
import { safeLink } from '../../../src-main/contract/addresses.ts';

/** Content to share: never more than the page shows. */
export interface Shared {
  title: string;
  /** The address; null if there is none that is safe to share. */
  link: string | null;
  /** The publisher; empty if unknown. */
  source: string;
  /** The day as the page shows it; empty if unknown. */
  date: string;
  /** As plain text; empty if there is none. */
  text: string;
  /** Formats it as Markdown, if a link with facts is not all. */
  markdown?: () => string;
  /** Other ways to copy it, such as the record of a model. */
  others?: readonly { label: string; text: () => string }[];
}

/** In UTF-16 units. */
const MAX_TITLE = 1_000;
const MAX_TEXT = 20_000;

export const shareFormats = {
  link: ({ link }: Shared): string => link ?? '',
  titleAndLink: (shared: Shared): string => lines([titleOf(shared), shared.link]),
  markdown: (shared: Shared): string => {
    if (shared.markdown) return shared.markdown();
    const { link, source, date } = shared;
    return toMarkdownLine([{ spans: [{ text: titleOf(shared), link }] }, ...fact(source), ...fact(date)]);
  },
  citation: (shared: Shared): string => {
    const { source, date, link } = shared;
    const facts = [source, `“${titleOf(shared)}”`, date, link].filter((part) => part !== null && part !== '');
    return facts.join(', ');
  },
  text: (shared: Shared): string => {
    const { source, date, text, link } = shared;
    const facts = [source, date].filter((part) => part !== '').join(' · ');
    return [lines([titleOf(shared), facts]), text, link].filter((part) => part !== null && part !== '').join('\n\n');
  },
} as const;

export type ShareFormat = keyof typeof shareFormats;

export function markdownList(all: readonly Shared[]): string {
  return all.map((shared) => `- ${shareFormats.markdown(shared)}`).join('\n');
}

function titleOf({ title }: Shared): string {
  return oneLine(title, MAX_TITLE);
}

function lines(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n');
}

/** Prepares an item for sharing, with the link of its original if there is one. */
export function sharedItem(item: StoredItem): Shared {
  return {
    title: oneLine(item.title, MAX_TITLE) || m.list_untitled(),
    link: safeLink(item.links.original) ?? safeLink(item.links.aihot),
    source: sourceLabel(item.source.name, 200),
    date: dayOf(item.publishedAt ?? item.effectiveAt),
    text: plainText(item.summary, MAX_TEXT).trim(),
  };
}

export function sharedStory(story: StoredStory): Shared {
  return {
    title: oneLine(story.title, MAX_TITLE) || m.list_untitled(),
    link: safeLink(story.links.aihot),
    source: '',
    date: dayOf(story.latestAt),
    text: plainText(story.digest ?? story.latest, MAX_TEXT).trim(),
  };
}

export function sharedReport(report: StoredReport): Shared {
  const { headline, overview, attribution } = readableReport(report);
  const name = reportName(report.kind, report.label, language.dateLocale, 'full');
  return {
    title: oneLine(headline, MAX_TITLE) || name,
    link: safeLink(report.links.aihot),
    source: oneLine(attribution?.name, 200),
    date: reportName(report.kind, report.label, language.dateLocale, 'long'),
    text: plainText(overview, MAX_TEXT).trim(),
  };
}

/** Returns a day in the reader's zone; empty for an invalid time. */
function dayOf(time: string | null): string {
  const ms = instant(time);
  return ms === null ? '' : new Intl.DateTimeFormat(language.dateLocale, { dateStyle: 'medium' }).format(ms);
}
