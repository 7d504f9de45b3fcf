import { reportName } from '../../../src-main/common/i18n/labels.ts';
import { readableReport } from '../../../src-main/common/readable-report.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { oneLine, plainText } from '../../../src-main/common/text.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { instant } from '../../../src-main/common/time.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { StoredReport } from '../../../src-main/contract/model/report.ts';
import type { StoredStory } from '../../../src-main/contract/model/story.ts';
import { language } from '../../ui/language.svelte.ts';
import { safeLink } from '../../ui/text/safe-link.ts';
import type { Shared } from './share-text.ts';

/** In UTF-16 units. */
const LONGEST_TITLE = 1_000;
const LONGEST_TEXT = 20_000;

/** Prepares an item for sharing, with the link of its original if there is one. */
export function sharedItem(item: StoredItem): Shared {
  return {
    title: oneLine(item.title, LONGEST_TITLE) || m.list_untitled(),
    link: safeLink(item.links.original) ?? safeLink(item.links.aihot),
    source: sourceLabel(item.source.name, 200),
    date: dayOf(item.publishedAt ?? item.effectiveAt),
    text: plainText(item.summary, LONGEST_TEXT).trim(),
  };
}

export function sharedStory(story: StoredStory): Shared {
  return {
    title: oneLine(story.title, LONGEST_TITLE) || m.list_untitled(),
    link: safeLink(story.links.aihot),
    source: '',
    date: dayOf(story.latestAt),
    text: plainText(story.digest ?? story.latest, LONGEST_TEXT).trim(),
  };
}

export function sharedReport(report: StoredReport): Shared {
  const { headline, overview, attribution } = readableReport(report);
  const name = reportName(report.kind, report.label, language.dateLocale, 'full');
  return {
    title: oneLine(headline, LONGEST_TITLE) || name,
    link: safeLink(report.links.aihot),
    source: oneLine(attribution?.name, 200),
    date: reportName(report.kind, report.label, language.dateLocale, 'long'),
    text: plainText(overview, LONGEST_TEXT).trim(),
  };
}

/** Returns a day in the reader's zone; empty for an invalid time. */
function dayOf(time: string | null): string {
  const ms = instant(time);
  return ms === null ? '' : new Intl.DateTimeFormat(language.dateLocale, { dateStyle: 'medium' }).format(ms);
}
