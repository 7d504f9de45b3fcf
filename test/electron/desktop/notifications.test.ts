import { inLocale } from '../../support/locale.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { followLocale } from '../../../src-main/common/i18n/locale.ts';
import type { StoredNotification } from '../../../src-main/contract/model/notification.ts';
import type { Target } from '../../../src-main/contract/refs.ts';
import { bareLine } from '../../../src-main/common/text.ts';
import { notificationText, Notifications } from '../../../src-main/electron/desktop/notifications.ts';
import { ICON_FILE } from '../../../src-main/electron/paths.ts';
import { DAILY, modelsNotification, raised, storyNotification } from '../support/desktop.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { fakeClock } from '../../support/clock.ts';
import { becomeReady, Notification } from '../fake/electron.ts';
import { record } from '../fake/records.ts';

const weekly: StoredNotification = {
  ...DAILY,
  id: 2,
  kind: 'weekly',
  title: '',
  label: '2026-W12',
  target: { view: 'report', kind: 'weekly', label: '2026-W12' },
};
const monthly: StoredNotification = {
  ...DAILY,
  id: 3,
  kind: 'monthly',
  title: 'March in short',
  label: '2026-03',
  target: { view: 'report', kind: 'monthly', label: '2026-03' },
};
const story = storyNotification('A merger is called off', 3);

describe('the text of a notification', () => {
  const textOf = (notifications: StoredNotification[], language: 'en' | 'zh-CN' = 'en') => {
    const dates = { now: Date.parse('2026-03-20T08:00:00Z'), dateLocale: language };
    const { title, body } = inLocale(language, () => notificationText(raised(notifications), dates));
    return [title, body];
  };

  it.each([
    [
      'a daily with a headline',
      DAILY,
      ['Daily · Wednesday, March 18', 'Chips and contracts'],
      ['日报 · 3月18日星期三', 'Chips and contracts'],
    ],
    [
      'a daily without a headline',
      { ...DAILY, title: '' },
      ['Daily · Wednesday, March 18', 'A new daily report is available.'],
      ['日报 · 3月18日星期三', '新一期日报已发布。'],
    ],
    [
      'a weekly',
      weekly,
      ['Weekly · March 16–22', 'A new weekly report is available.'],
      ['周报 · 3月16日至22日', '新一期周报已发布。'],
    ],
    ['a monthly', monthly, ['Monthly · March 2026', 'March in short'], ['月报 · 2026年3月', 'March in short']],
    ['a story', story, ['A merger is called off', '3 new articles'], ['A merger is called off', '新增 3 篇报道']],
    [
      'a story with one report',
      { ...story, count: 1 },
      ['A merger is called off', '1 new article'],
      ['A merger is called off', '新增 1 篇报道'],
    ],
    [
      'a story with a new summary',
      { ...story, count: 0 },
      ['A merger is called off', 'Digest updated'],
      ['A merger is called off', '综述有更新'],
    ],
    [
      'a story without a title',
      { ...story, title: ' ' },
      ['A topic you follow', '3 new articles'],
      ['您关注的热点', '新增 3 篇报道'],
    ],
    ['a model', modelsNotification(1), ['Models', '1 model changed'], ['模型', '1 个模型有变更']],
    ['models', modelsNotification(1200), ['Models', '1,200 models changed'], ['模型', '1,200 个模型有变更']],
  ])('describes %s', (_what, notification, english, chinese) => {
    expect(textOf([notification])).toEqual(english);
    expect(textOf([notification], 'zh-CN')).toEqual(chinese);
  });

  it('describes several things at once, with a line for each', () => {
    const notifications = [DAILY, story, storyNotification('Second story', 1), modelsNotification(4)];
    expect(textOf(notifications)).toEqual([
      'A new daily report, 2 updated topics, and 4 changed models',
      [
        'Daily · Wednesday, March 18: Chips and contracts',
        'A merger is called off: 3 new articles',
        'Second story: 1 new article',
        'and 1 more',
      ].join('\n'),
    ]);
    expect(textOf(notifications, 'zh-CN')).toEqual([
      '1 期新日报、2 个热点有新进展和4 个模型有变更',
      [
        '日报 · 3月18日星期三：Chips and contracts',
        'A merger is called off：新增 3 篇报道',
        'Second story：新增 1 篇报道',
        '另有 1 条',
      ].join('\n'),
    ]);
  });

  it.each([
    ['line breaks', 'a\n\r\nb', 'a b'],
    ['control characters', 'a\u001b[31mb\u0007', 'a [31mb'],
    ['text direction marks', 'a\u202eb\u2066c', 'a b c'],
    ['surrounding spaces', '  a  ', 'a'],
    ['text beyond the limit', 'x'.repeat(20), `${'x'.repeat(9)}…`],
    ['text of surrogate pairs beyond the limit', '𝒳'.repeat(20), `${'𝒳'.repeat(9)}…`],
  ])('removes from texts of the service: %s', (_what, text, line) => {
    expect(bareLine(text, 10)).toBe(line);
  });
});

describe('the buttons of a notification', () => {
  const buttonsOf = (notifications: StoredNotification[]) =>
    notificationText(raised(notifications), { now: 0, dateLocale: 'en' }).buttons;

  it('open the only thing, or dismiss it', () => {
    expect(buttonsOf([DAILY])).toEqual([
      { text: 'Open', target: DAILY.target },
      { text: 'Later', target: null },
    ]);
  });

  it('open several things separately, the first two of them', () => {
    expect(buttonsOf([DAILY, story, modelsNotification(2)])).toEqual([
      { text: 'Open Daily', target: DAILY.target },
      { text: 'Open Topic', target: story.target },
    ]);
  });

  it('do not choose between several of a kind', () => {
    expect(buttonsOf([story, storyNotification('Another')])).toEqual([
      { text: 'Open', target: { view: 'notifications' } },
      { text: 'Later', target: null },
    ]);
    expect(buttonsOf([story, storyNotification('Another'), DAILY])).toEqual([
      { text: 'Open Daily', target: DAILY.target },
    ]);
  });
});

/** Sets how the system reacts to a notification in this test. */
function whenShown(react: (shown: EventEmitter) => unknown): void {
  const { show } = Notification.prototype;
  Notification.prototype.show = function () {
    react(this);
  };
  onTestFinished(() => {
    Notification.prototype.show = show;
  });
}

describe('notifications', () => {
  const went: Target[] = [];
  const log = vi.fn();
  beforeAll(() => becomeReady());
  beforeEach(() => {
    followLocale(() => 'en');
    went.length = 0;
    Notification.shown.length = 0;
    record.notifications.length = 0;
    log.mockClear();
  });

  const open = (ports: Partial<ConstructorParameters<typeof Notifications>[0]> = {}) =>
    new Notifications({
      platform: 'darwin',
      goTo: (target) => void went.push(target),
      asked: { get: () => true, set: () => undefined },
      dateLocale: () => 'en-GB',
      clock: fakeClock(),
      log,
      ...ports,
    });

  it('are shown once each, in the current language', () => {
    let language: 'en' | 'zh-CN' = 'en';
    followLocale(() => language);
    const notifications = open();
    notifications.show(raised([DAILY]));
    language = 'zh-CN';
    notifications.show(raised([weekly]));
    expect(record.notifications).toEqual([
      {
        title: 'Daily · Wednesday 18 March',
        body: 'Chips and contracts',
        actions: [
          { type: 'button', text: 'Open' },
          { type: 'button', text: 'Later' },
        ],
        urgency: 'normal',
      },
      expect.objectContaining({ title: '周报 · 16–22 March' }),
    ]);
  });

  it('have escaped markup in the body on Linux, and an icon', () => {
    const title = 'R&D <b>rises</b>';
    open({ platform: 'linux' }).show(raised([{ ...DAILY, title }]));
    open({ platform: 'win32' }).show(raised([{ ...DAILY, title }]));
    expect(record.notifications).toMatchObject([
      { body: 'R&amp;D &lt;b&gt;rises&lt;/b&gt;', icon: ICON_FILE },
      { body: title },
    ]);
    expect(record.notifications[1]).not.toHaveProperty('icon');
  });

  it('open the target of a button, and nothing when dismissed', () => {
    open().show(raised([DAILY, story]));
    open().show(raised([DAILY]));
    const [both, one] = Notification.shown;
    both?.emit('action', { actionIndex: 1 });
    one?.emit('action', { actionIndex: 1 });
    one?.emit('action', { actionIndex: 7 });
    expect(went).toEqual([story.target]);
  });

  it.each([
    ['a click', 'click', {}],
    ['a button', 'action', { actionIndex: 1 }],
    ['being closed', 'close', {}],
    ['being dismissed on Windows', 'close', { reason: 'userCanceled' }],
    ['a failure', 'failed', {}],
  ])('are released after %s', (_what, event, details) => {
    const notifications = open();
    notifications.show(raised([DAILY]));
    expect(notifications.held).toBe(1);
    Notification.shown[0]?.emit(event, details, 'why');
    expect(notifications.held).toBe(0);
  });

  it('can still be clicked in the Windows notification center after the banner closes', () => {
    const notifications = open({ platform: 'win32' });
    notifications.show(raised([DAILY]));
    Notification.shown[0]?.emit('close', { reason: 'timedOut' });
    Notification.shown[0]?.emit('click', {});
    expect(went).toEqual([DAILY.target]);
  });

  it('log an error if they cannot be shown', () => {
    open().show(raised([DAILY]));
    Notification.shown[0]?.emit('failed', {}, 'not signed');
    expect(log).toHaveBeenCalledWith('warn', expect.any(String), { reason: 'not signed' });
  });

  it('are limited in number', () => {
    const notifications = open();
    for (let i = 0; i < 30; i += 1) notifications.show(raised([DAILY]));
    expect(notifications.held).toBe(20);
  });

  describe('on Windows, where every click is an activation too', () => {
    const HISTORY = { view: 'notifications' } as const;
    let activate: () => void;
    const start = (platform: NodeJS.Platform = 'win32') => {
      activate = () => undefined;
      vi.spyOn(Notification, 'handleActivation').mockImplementation((callback) => {
        activate = () => callback({ type: 'click', arguments: 'type=click&tag=1' });
      });
      const clock = fakeClock();
      const notifications = open({ platform, clock });
      notifications.followActivations();
      return { clock, notifications };
    };

    it('open the history at once after a click on one of an earlier run', () => {
      start();
      activate();
      expect(went).toEqual([HISTORY]);
    });

    it.each([
      ['before', ['activation', 'click']],
      ['after', ['click', 'activation']],
    ])('open only their target if the activation comes %s their own click', (_when, order) => {
      const { clock, notifications } = start();
      notifications.show(raised([DAILY]));
      for (const report of order) {
        if (report === 'click') Notification.shown[0]?.emit('click', {});
        else activate();
        clock.advance(100);
      }
      clock.advance(10_000);
      expect(went).toEqual([DAILY.target]);
    });

    it('open the history for an old one after a click on a new one', () => {
      const { clock, notifications } = start();
      notifications.show(raised([DAILY]));
      Notification.shown[0]?.emit('click', {});
      activate();
      activate();
      clock.advance(1_000);
      Notification.shown[0]?.emit('action', { actionIndex: 0 });
      clock.advance(60_000);
      activate();
      clock.advance(1_000);
      expect(went).toEqual([DAILY.target, HISTORY, DAILY.target, HISTORY]);
    });

    it('open the history once for a test', async () => {
      const { clock, notifications } = start();
      await notifications.test();
      activate();
      Notification.shown[0]?.emit('click', {});
      clock.advance(1_000);
      expect(went).toEqual([HISTORY]);
    });

    it('have only buttons that open something, since each one starts the app', () => {
      const { notifications } = start();
      notifications.show(raised([DAILY]));
      notifications.show(raised([DAILY, story]));
      expect(record.notifications.map(({ actions }) => actions?.map(({ text }) => text))).toEqual([
        ['Open'],
        ['Open Daily', 'Open Topic'],
      ]);
    });

    it('are not listened to elsewhere', () => {
      start('linux');
      activate();
      expect(went).toEqual([]);
    });
  });

  describe('on macOS, where the first one asks for permission', () => {
    let isAsked: boolean;
    const asked = { get: () => isAsked, set: () => void (isAsked = true) };
    beforeEach(() => {
      isAsked = false;
    });
    const notify = { ...DEFAULT_SETTINGS.notify, models: false };

    it('are not shown before the user has asked for them', async () => {
      const notifications = open({ asked });
      notifications.show(raised([DAILY]));
      expect(record.notifications).toEqual([]);
      await notifications.test();
      notifications.show(raised([DAILY]));
      expect(record.notifications).toHaveLength(2);
    });

    it('are asked for by turning a kind on, once', () => {
      const changed = open({ asked }).follow({ notify });
      changed({ notify: { ...notify, daily: false } });
      expect(record.notifications).toEqual([]);
      changed({ notify });
      expect(record.notifications).toMatchObject([{ title: 'Test notification' }]);
      changed({ notify: { ...notify, models: true } });
      expect(record.notifications).toHaveLength(1);
    });

    it.each(['linux', 'win32'] as const)('are shown at once on %s', (platform) => {
      const notifications = open({ asked, platform });
      notifications.follow({ notify })({ notify: { ...notify, models: true } });
      notifications.show(raised([DAILY]));
      expect(record.notifications).toHaveLength(1);
    });
  });

  describe('a test', () => {
    it.each([
      ['shows it', (shown: EventEmitter) => shown.emit('show', {}), { outcome: 'shown', reason: '' }],
      [
        'refuses it',
        (shown: EventEmitter) => shown.emit('failed', {}, 'Notifications are\nnot allowed'),
        { outcome: 'failed', reason: 'Notifications are not allowed' },
      ],
      [
        'has no service for it, as Electron reports that on Linux',
        (shown: EventEmitter) => shown.emit('failed', {}, ''),
        { outcome: 'failed', reason: 'no notification service answered' },
      ],
    ] as const)('reports that the system %s', async (_what, reacts, trial) => {
      whenShown(reacts);
      expect(await open().test()).toEqual(trial);
    });

    it('opens the history on a click, and is held until then', async () => {
      const notifications = open();
      await notifications.test();
      expect(notifications.held).toBe(1);
      Notification.shown[0]?.emit('click', {});
      expect(went).toEqual([{ view: 'notifications' }]);
      expect(notifications.held).toBe(0);
    });

    it('ends if the system says nothing', async () => {
      const clock = fakeClock();
      whenShown(() => undefined);
      const testing = open({ clock }).test();
      clock.advance(10_000);
      expect(await testing).toEqual({ outcome: 'unknown', reason: '' });
    });
  });

  it('are protected from garbage collection until then', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const shown: WeakRef<EventEmitter>[] = [];
    // As in Electron, only its owner references it.
    whenShown((notification) => shown.push(new WeakRef(notification)));
    const notifications = open();
    notifications.show(raised([DAILY]));
    await nextTurn();
    collect();
    shown[0]?.deref()?.emit('click', {});
    expect(went).toEqual([DAILY.target]);
    await nextTurn();
    collect();
    expect(shown[0]?.deref()).toBeUndefined();
  });
});
