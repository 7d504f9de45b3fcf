import { beforeEach, describe, expect, it } from 'vitest';
import type { Locale } from '../../../../src-main/common/i18n/locale.ts';
import type { StoredNotification } from '../../../../src-main/contract/model/notification.ts';
import { language } from '../../../../src-renderer/ui/language.svelte.ts';
import { daysAgo } from '../../../../src-main/common/time.ts';
import {
  notificationName,
  notificationsByDay,
  notificationTitle,
  notificationText,
} from '../../../../src-renderer/features/notifications/notification-text.ts';
import { madeUpNotification } from '../../support/made-up-notifications.ts';

const NOW = new Date(2026, 10, 20, 12).getTime();
const HOUR = 3_600_000;

const daily = madeUpNotification(1, NOW);
const weekly = madeUpNotification(2, NOW, { kind: 'weekly', label: '2026-W47', title: '' });
const monthly = madeUpNotification(3, NOW, { kind: 'monthly', label: '2026-11', title: '' });
const story = madeUpNotification(4, NOW, { kind: 'story', label: null, count: 3, title: 'Harbour \n works' });
const models = madeUpNotification(5, NOW, { kind: 'models', label: null, count: 5, title: '' });

beforeEach(() => language.use('en', 'en-GB'));

describe('a notification', () => {
  it.each<[Locale, StoredNotification, string, string]>([
    ['en', daily, 'New daily report: Friday, 20 November 2026', 'A headline'],
    ['en', weekly, 'New weekly report: 16–22 November 2026', ''],
    ['en', monthly, 'New monthly report: November 2026', ''],
    ['en', story, '3 new articles on a topic', 'Harbour works'],
    ['en', { ...story, count: 0, title: '' }, 'Topic digest updated', 'A topic you follow'],
    ['en', models, '5 models changed', 'Models'],
    ['zh-CN', daily, '新日报：2026年11月20日星期五', 'A headline'],
  ])('in %s has a name and a headline: %#', (locale, notification, name, title) => {
    language.use(locale, locale === 'en' ? 'en-GB' : 'zh-CN');
    expect([notificationName(notification, language), notificationTitle(notification)]).toEqual([name, title]);
  });
});

describe('a notification', () => {
  const text = (notifications: StoredNotification[], catchUp = false) =>
    notificationText({ notifications, catchUp, target: { view: 'notifications' } }, language);

  it('for one event names it', () => {
    expect(text([daily])).toEqual({ title: 'New daily report: Friday, 20 November 2026', body: 'A headline' });
  });

  it('for several events counts them, with a line for each of the first', () => {
    expect(text([story, daily, models, weekly])).toEqual({
      title: 'A new daily report, a new weekly report, an updated topic, and 5 changed models',
      body: [
        '3 new articles on a topic: Harbour works',
        'New daily report: Friday, 20 November 2026: A headline',
        '5 models changed: Models',
        'and 1 more',
      ].join('\n'),
    });
  });

  it('says that it was delayed by quiet hours', () => {
    expect(text([daily], true).title).toMatch(/^During quiet hours: New daily/);
  });
});

describe('the history', () => {
  it('is grouped by local day, newest first', () => {
    const at = [NOW, NOW - 13 * HOUR, NOW - 14 * HOUR, NOW - 60 * HOUR];
    const days = notificationsByDay(at.map((ms, n) => madeUpNotification(9 - n, ms)));
    expect(days.map(({ notifications }) => notifications.map(({ id }) => id))).toEqual([[9], [8, 7], [6]]);
    expect(days.map((day) => daysAgo(day.at, NOW))).toEqual([0, 1, 2]);
  });
});
