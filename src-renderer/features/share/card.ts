import { reportKinds, categoryName, reportName } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { readableReport } from '../../../src-main/common/readable-report.ts';
import { oneLine, textLanguage } from '../../../src-main/common/text.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { StoredReport } from '../../../src-main/contract/model/report.ts';
import type { Action } from '../../ui/controls/ActionMenu.svelte';
import { language } from '../../ui/language.svelte.ts';
import type { Toasts } from '../../ui/page-context.ts';
import { saveFile } from '../../ui/save-file.ts';
import { sharedItem, sharedReport } from './shared.ts';
import { drawCard, type Card } from './draw-card.ts';

/** In UTF-16 units. */
const LONGEST_ENTRY = 300;
const MOST_ENTRIES = 100;

export function cardActions(card: () => Card, name: string, toasts: Toasts): Action[] {
  return [
    { label: m.share_card_save(), run: () => void save(card(), name, toasts) },
    { label: m.share_card_copy(), run: () => void copy(card(), toasts) },
  ];
}

export function itemCard(item: StoredItem): Card {
  const { title, source, date } = sharedItem(item);
  return {
    title,
    kicker: item.category === null ? '' : oneLine(categoryName(item.category), 60),
    facts: [source, date].filter((text) => text !== '').join(' · '),
    attribution: oneLine(item.attribution?.name, 200),
    app: m.app_name(),
    entries: [],
    more: () => '',
    lang: textLanguage(title) || language.locale,
  };
}

export function dailyCard(report: StoredReport): Card {
  const { title, source } = sharedReport(report);
  const { lead, sections } = readableReport(report);
  const citations = [...(lead ? [lead] : []), ...sections.flatMap(({ items }) => items)];
  const entries = citations
    .slice(0, MOST_ENTRIES)
    .map((citation) => oneLine(citation.title, LONGEST_ENTRY))
    .filter((text) => text !== '');
  return {
    title,
    kicker: reportKinds[report.kind](),
    facts: reportName(report.kind, report.label, language.dateLocale, 'full'),
    attribution: source,
    app: m.app_name(),
    entries,
    more: (count) => m.share_card_more({ count }),
    lang: textLanguage(title) || language.locale,
  };
}

async function pictureOf(card: Card): Promise<Blob> {
  const canvas = await drawCard(card);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png');
  });
}

async function save(card: Card, name: string, toasts: Toasts): Promise<void> {
  try {
    saveFile(`${name}.png`, await pictureOf(card));
    toasts.show(m.share_card_saved());
  } catch {
    toasts.show(m.share_card_failed(), { tone: 'problem' });
  }
}

async function copy(card: Card, toasts: Toasts): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pictureOf(card) })]);
    toasts.show(m.share_card_copied());
  } catch {
    toasts.show(m.share_card_failed(), { tone: 'problem' });
  }
}
