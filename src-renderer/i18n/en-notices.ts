import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { NotificationKind } from '../../src-main/contract/model/notification.ts';
import type { Problem } from '../../src-main/contract/user-data.ts';
import { plural } from './plural.ts';

const count = (n: number, one: string, other: string): string => plural('en', n, { one, other });

/** What is new, by its name: an edition by its day, week or month. */
const editions: Record<ReportKind, (name: string) => string> = {
  daily: (day) => `New daily of ${day}`,
  weekly: (week) => `New weekly: ${week}`,
  monthly: (month) => `New monthly: ${month}`,
};

/** So many of a kind, as a part of a list. */
const many: Record<NotificationKind, (n: number) => string> = {
  daily: (n) => count(n, 'a new daily', '# new dailies'),
  weekly: (n) => count(n, 'a new weekly', '# new weeklies'),
  monthly: (n) => count(n, 'a new monthly', '# new monthlies'),
  story: (n) => count(n, 'news of a story', 'news of # stories'),
  models: (n) => count(n, '# changed model', '# changed models'),
};

const places: Record<Problem['where'], string> = {
  main: 'In the program',
  engine: 'While storing news',
  page: 'On this page',
};

/** The words of notifications and their history, of windows of their own, of places to go to, and of defects. */
export const enNotices = {
  notices: {
    title: 'Notifications',
    open: 'Notifications',
    openNew: 'Notifications: something new',
    loading: 'Reading the history…',
    list: (day: string) => `Notifications: ${day}`,
    today: 'Today',
    yesterday: 'Yesterday',
    editions,
    reports: (n: number) =>
      n === 0 ? 'Rewritten digest of a story' : count(n, '# new report in a story', '# new reports in a story'),
    models: (n: number) => count(n, '# model changed', '# models changed'),
    untitled: { story: 'A story that you follow', models: 'Model catalogue' },
    fresh: 'New',
    told: 'Told',
    toldAt: (time: string) => `Told at ${time}`,
    toldOn: (when: string) => `Told ${when}`,
    untold: 'Not told',
    emptyTitle: 'Nothing to tell yet',
    emptyText:
      'New reports, news in stories that you follow and changes of models are listed here. What was there before the first start is no news.',
    settings: 'Choose what you are told of',
    many,
    line: (name: string, title: string) => `${name}: ${title}`,
    more: (n: number) => count(n, 'and # more', 'and # more'),
    catchUp: (what: string) => `During quiet hours: ${what}`,
  },
  places: {
    missing: {
      item: 'This item is not stored here: it may have been withdrawn, or is of another service.',
      story: 'This story is not stored here, and the service has not named it.',
      report: 'This report is not stored here, and the service has not named it.',
      model: 'This model is not in the stored catalogue.',
    },
  },
  ownWindow: {
    open: 'Open in a window',
    failed: 'The window could not be opened.',
    close: 'Close the window',
    closeByHand: 'This tab can only be closed by the browser itself.',
    print: 'Print',
    back: 'Back',
    title: (what: string) => `${what} · Broadsheet`,
  },
  defects: {
    title: 'This part could not be shown',
    text: 'What went wrong is kept in data health and in the log. Nothing that you did is lost.',
    met: 'Something went wrong on this page, and it goes on. Data health says more.',
    openHealth: 'Data health: something went wrong',
    listTitle: 'What went wrong',
    listHint: 'Broadsheet goes on. If something on the page seems wrong, restart it. The log says more.',
    places,
    dismiss: 'Seen',
    restart: 'Restart the page',
  },
};
