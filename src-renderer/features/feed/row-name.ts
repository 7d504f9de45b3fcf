import { categoryName, itemRemovalReasons } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import { instant } from '../../../src-main/common/time.ts';
import { calendarTime } from '../../../src-main/common/time-text.ts';
import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import { isText, spokenFacts, spokenName, withoutStop } from '../../ui/text/spoken-name.ts';
import type { RemovalReason } from './listed-items.ts';

/** In characters: about as much as people listen to before they move on. */
const LONGEST_TITLE = 240;
const LONGEST_SUMMARY = 300;
const LONGEST_MODEL = 30;
/** The vendor before a model's name (`Northlight: Aurora 32B`), and its variant (`(free)`). */
const AROUND_NAME = /^[^:]{1,60}:\s+(?=\S)|(?<=\S)\s*\([^()]{1,30}\)\s*$/g;

/**
 * Returns a row's name for screen readers: "Unread. Title. Source, category, time". The visible text may be shorter.
 */
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
    time !== null && calendarTime(time, now, locale, 'list'),
    row.folded !== undefined && m.list_folded({ count: row.folded.count }),
  ];
  return spokenName([
    row.state.readAt === null && m.views_unread(),
    gone !== undefined && itemRemovalReasons[gone](),
    row.withdrawnAt === null ? oneLine(row.title, LONGEST_TITLE) || m.list_untitled() : m.list_withdrawn_title(),
    spokenFacts(facts),
    row.state.starredAt !== null && m.list_starred(),
    noted && m.note_has(),
  ]);
}

/** Returns the description of a row for screen readers: its summary and the models that it may mention. */
export function rowDescription(row: ItemRow): string | undefined {
  if (row.withdrawnAt !== null) return m.list_withdrawn_text();
  const texts = [oneLine(row.summary, LONGEST_SUMMARY), mentionText(row)].filter(isText);
  return (
    texts.map((text, at) => (at < texts.length - 1 ? withoutStop(text) : text)).join(m.list_name_stop()) || undefined
  );
}

/** Returns the name of a model that a row may be about, for which its title has none; empty for none. */
export function modelChip({ models, title }: Pick<ItemRow, 'models' | 'title'>): string {
  const names = models.map(({ name }) => name.replace(AROUND_NAME, '')).filter((name) => name !== '');
  const inTitle = comparable(title);
  return names.some((name) => isNamed(comparable(name), inTitle)) ? '' : oneLine(names[0], LONGEST_MODEL);
}

/** "GPT-5 mini" is written in several ways. */
/** True, too, if the name is in Chinese: "鹤鸣-3 Flash" is Heming-3 Flash. */
function isNamed(name: string, title: string): boolean {
  const version = /^\p{L}+(\d.+)$/u.exec(name)?.[1];
  const before = version === undefined ? [] : title.split(version).slice(0, -1);
  return title.includes(name) || before.some((text) => /\p{Script=Han}$/u.test(text));
}

function comparable(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

function mentionText({ models }: ItemRow): string | false {
  const name = oneLine((models[0]?.name ?? '').replace(AROUND_NAME, ''), LONGEST_MODEL);
  if (name === '') return false;
  const others = models.length - 1;
  return others === 0 ? m.mention_in_row({ name }) : m.mention_in_row_more({ name, count: others });
}
