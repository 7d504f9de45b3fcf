import { NOTICE_KINDS, type Notice, type Notification } from '../../contract/model/notification.ts';
import type { Target } from '../../contract/targets.ts';
import type { HostWords, NoticeWords } from '../../words/words.ts';

/** A notification as it is shown. */
export interface NotificationText {
  title: string;
  body: string;
  /** Where each button leads; null for one that only puts the notification away. */
  buttons: { text: string; target: Target | null }[];
}

const MOST_LINES = 3;
const MOST_BUTTONS = 2;
const LONGEST_TITLE = 80;
const LONGEST_LINE = 120;

/** Words a notification in the reader's language: one thing by its name, several by their number, with a line for each. */
export function notificationText(notification: Notification, { notice: words, locale }: HostWords): NotificationText {
  const { notices, catchUp } = notification;
  const [only] = notices.length === 1 ? notices : [];
  const what = only ? nameOf(only, words) : listOf(notices, words, locale);
  return {
    title: catchUp ? words.catchUp(what) : what,
    body: only ? detailOf(only, words) : linesOf(notices, words),
    buttons: buttonsOf(notification, words),
  };
}

/** The service's words in one line, without what would steer a terminal, turn the direction of text or break the line. */
export function plainLine(text: string, longest: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .normalize('NFC');
  const characters = Array.from(line);
  if (characters.length <= longest) return line;
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}

function nameOf({ kind, label, title }: Notice, { name }: NoticeWords): string {
  const text = plainLine(title, LONGEST_TITLE);
  // An edition is known by its label, whatever its headline.
  return kind === 'story' || kind === 'models' ? name[kind](text) : name[kind](label ?? '').trim();
}

/** What happened: an edition's headline, or in numbers. */
function detailOf({ kind, title, count }: Notice, { detail }: NoticeWords): string {
  const headline = kind === 'story' || kind === 'models' ? '' : plainLine(title, LONGEST_LINE);
  return headline || detail[kind](count);
}

/** `a new daily and news of 2 stories`. */
function listOf(notices: readonly Notice[], { many }: NoticeWords, locale: string): string {
  const parts = NOTICE_KINDS.flatMap((kind) => {
    const ofKind = notices.filter((notice) => notice.kind === kind);
    if (ofKind.length === 0) return [];
    const models = ofKind.reduce((sum, { count }) => sum + count, 0);
    return [many[kind](kind === 'models' ? models : ofKind.length)];
  });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
  return list.charAt(0).toLocaleUpperCase(locale) + list.slice(1);
}

function linesOf(notices: readonly Notice[], words: NoticeWords): string {
  const lines = notices
    .slice(0, MOST_LINES)
    .map((notice) => plainLine(words.line(nameOf(notice, words), detailOf(notice, words)), LONGEST_LINE));
  const left = notices.length - lines.length;
  return [...lines, ...(left > 0 ? [words.more(left)] : [])].join('\n');
}

/** A button for each thing that is the only one of its kind; else one that leads where a click does. */
function buttonsOf({ notices, target }: Notification, words: NoticeWords): NotificationText['buttons'] {
  const single = notices.filter(({ kind }) => notices.filter((other) => other.kind === kind).length === 1);
  if (notices.length > 1 && single.length > 0) {
    return single
      .slice(0, MOST_BUTTONS)
      .map((notice) => ({ text: words.openKind[notice.kind], target: notice.target }));
  }
  return [
    { text: words.open, target },
    { text: words.later, target: null },
  ];
}
