import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { NotificationKind } from '../../src-main/contract/model/notification.ts';
import type { Problem } from '../../src-main/contract/user-data.ts';
import { plural } from './plural.ts';

const count = (n: number, one: string, other: string): string => plural('en', n, { one, other });

/** What is new, by its name: an edition by its day, week or month. */
const editions: Record<ReportKind, (name: string) => string> = {
  daily: (day) => `New daily report: ${day}`,
  weekly: (week) => `New weekly report: ${week}`,
  monthly: (month) => `New monthly report: ${month}`,
};

/** So many of a kind, as a part of a list. */
const many: Record<NotificationKind, (n: number) => string> = {
  daily: (n) => count(n, 'a new daily report', '# new daily reports'),
  weekly: (n) => count(n, 'a new weekly report', '# new weekly reports'),
  monthly: (n) => count(n, 'a new monthly report', '# new monthly reports'),
  story: (n) => count(n, 'an updated story', '# updated stories'),
  models: (n) => count(n, '# changed model', '# changed models'),
};

const places: Record<Problem['where'], string> = {
  main: 'In the app',
  engine: 'While saving news',
  page: 'On this page',
};

/** The words of notifications and their history, of windows of their own, of places to go to, and of defects. */
export const enNotices = {
  notices: {
    title: 'Notifications',
    open: 'Notifications',
    openNew: 'Notifications (new)',
    loading: 'Loading notifications…',
    list: (day: string) => `Notifications: ${day}`,
    today: 'Today',
    yesterday: 'Yesterday',
    editions,
    reports: (n: number) =>
      n === 0 ? 'Story digest updated' : count(n, '# new article in a story', '# new articles in a story'),
    models: (n: number) => count(n, '# model changed', '# models changed'),
    untitled: { story: 'A story you follow', models: 'Model catalogue' },
    fresh: 'New',
    told: 'Notified',
    toldAt: (time: string) => `Notified at ${time}`,
    toldOn: (when: string) => `Notified ${when}`,
    untold: 'Muted',
    emptyTitle: 'No notifications yet',
    emptyText: 'New reports, updates to followed stories and model changes appear here.',
    settings: 'Notification settings',
    many,
    line: (name: string, title: string) => `${name}: ${title}`,
    more: (n: number) => count(n, 'and # more', 'and # more'),
    catchUp: (what: string) => `During quiet hours: ${what}`,
  },
  places: {
    missing: {
      item: 'This item isn’t on this computer. It may have been withdrawn or come from another news service.',
      story: 'This story isn’t on this computer.',
      report: 'This report isn’t on this computer.',
      model: 'This model isn’t in the saved model catalogue.',
    },
  },
  ownWindow: {
    open: 'Open in new window',
    failed: 'Couldn’t open the window.',
    close: 'Close window',
    closeByHand: 'Close this tab in your browser.',
    print: 'Print',
    back: 'Back',
    title: (what: string) => `${what} · Broadsheet`,
  },
  defects: {
    title: 'This part couldn’t be shown',
    text: 'See sync status or the log for details. Your data is safe.',
    met: 'Something went wrong, but you can carry on. See sync status for details.',
    openHealth: 'Sync status: something went wrong',
    listTitle: 'Recent problems',
    listHint: 'Broadsheet is still running. If the page looks wrong, reload it. See the log for details.',
    places,
    dismiss: 'Dismiss',
    restart: 'Reload page',
  },
};
