import { itemRemovalReasons } from '../../../src-main/common/i18n/labels/items.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { categoryName } from '../../../src-main/common/i18n/names.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import { instant, relativeTime } from '../../../src-main/common/time.ts';
import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import type { RemovalReason } from './list/row-updates.svelte.ts';

/** As much as is listened to before the next row is wanted, in characters. */
const LONGEST_TITLE = 240;
const LONGEST_SUMMARY = 300;
const LONGEST_MODEL = 30;
/** The vendor before a model's name (`Northlight: Aurora 32B`), which would leave no room for the name. */
export const VENDOR = /^[^:]{1,60}:\s+(?=\S)/;

/** What a row is called by those who hear the list: "Unread. Title. Source, category, time". What is shown may be shorter. */
export function rowName(
  row: ItemRow,
  removal: RemovalReason | undefined,
  now: number,
  locale: string,
  noted = false,
): string {
  const gone = row.withdrawnAt === null ? removal : 'withdrawn';
  const time = instant(row.effectiveAt);
  const facts = [
    row.withdrawnAt === null && (sourceLabel(row.source.name, 60) || m.article_unknown_source()),
    row.category !== null && oneLine(categoryName(row.category), 30),
    time !== null && relativeTime(time, now, locale),
    row.folded !== undefined && m.list_folded({ count: row.folded.count }),
  ];
  const sentences = [
    row.state.readAt === null && m.list_unread(),
    gone !== undefined && itemRemovalReasons[gone](),
    row.withdrawnAt === null ? oneLine(row.title, LONGEST_TITLE) || m.list_untitled() : m.list_withdrawn_title(),
    facts.filter(isText).join(m.list_name_comma()),
    row.state.starredAt !== null && m.list_starred(),
    noted && m.note_has(),
  ];
  return sentences.filter(isText).map(withoutStop).join(m.list_name_stop());
}

/** What a row is about: its summary and the models that it may mention, for those who hear the list and wait for it. */
export function rowDescription(row: ItemRow): string | undefined {
  if (row.withdrawnAt !== null) return m.list_withdrawn_text();
  const texts = [oneLine(row.summary, LONGEST_SUMMARY), mentionText(row)].filter(isText);
  return (
    texts.map((text, at) => (at < texts.length - 1 ? withoutStop(text) : text)).join(m.list_name_stop()) || undefined
  );
}

function mentionText({ models }: ItemRow): string | false {
  const name = oneLine((models[0]?.name ?? '').replace(VENDOR, ''), LONGEST_MODEL);
  if (name === '') return false;
  const others = models.length - 1;
  return others === 0 ? m.mention_in_row({ name }) : m.mention_in_row_more({ name, count: others });
}

function isText(text: string | false): text is string {
  return text !== false && text !== '';
}

/** A title that ends with a full stop gets no second one. */
function withoutStop(text: string): string {
  return text.replace(/[.。]+$/u, '');
}
