import {
  Notification,
  type Event,
  type NotificationCloseEventParams,
  type NotificationConstructorOptions,
} from 'electron';
import { m } from '../../common/i18n/messages.ts';
import { bareLine } from '../../common/text.ts';
import type { NotificationTrial, NotificationGroup, StoredNotification } from '../../contract/model/notification.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Target } from '../../contract/refs.ts';
import {
  notificationDetail,
  notificationOpenKind,
  notificationUntitled,
  reportKinds,
  reportPeriod,
} from '../../common/i18n/labels.ts';
import { groupText, savedSearchText } from '../../common/notification-text.ts';
import { ICON_FILE } from '../paths.ts';

interface NotificationPorts {
  platform: NodeJS.Platform;
  goTo(target: Target): void;
  asked: { get(): boolean; set(): void };
  dateLocale(): string;
  clock: Clock;
  log: Log;
}

const MAX_HELD = 20;

/** The subject of a notification of an earlier run is unknown; it is in the history. */
const HISTORY: Target = { view: 'notifications' };

/** On macOS the user may be answering a question meanwhile. */
const TRIAL_MS = 8_000;
const MAX_REASON = 200;

/** On macOS, waits until the user has asked: the first one brings a prompt, which counts as refused if overlooked. */
export class Notifications {
  readonly #ports: NotificationPorts;
  /** Prevents garbage collection, after which a notification gets no clicks, and disappears on macOS. */
  readonly #held = new Set<Notification>();
  readonly #clicks: ToastClicks;

  constructor(ports: NotificationPorts) {
    this.#ports = ports;
    this.#clicks = new ToastClicks(ports.clock, () => ports.goTo(HISTORY));
  }

  get held(): number {
    return this.#held.size;
  }

  show(raised: NotificationGroup): void {
    const { platform, log, asked, clock, dateLocale } = this.#ports;
    if (platform === 'darwin' && !asked.get()) return;
    const { title, body, buttons: all } = notificationText(raised, { now: clock.now(), dateLocale: dateLocale() });
    // On Windows every button starts the app if it has quit, also one that should only dismiss.
    const buttons = platform === 'win32' ? all.filter(({ target }) => target !== null) : all;
    const notification = this.#create({
      title,
      body: platform === 'linux' ? escapeMarkup(body) : body,
      actions: buttons.map(({ text }) => ({ type: 'button', text })),
    });
    notification.on('click', () => this.#onClick(notification, raised.target));
    notification.on('action', ({ actionIndex }) => this.#onClick(notification, buttons[actionIndex]?.target ?? null));
    notification.on('close', (event) => {
      if (!staysListed(event)) this.#held.delete(notification);
    });
    notification.on('failed', (_event, reason) => {
      this.#held.delete(notification);
      log('warn', 'Could not show a notification', { reason: reasonOf(reason) });
    });
    notification.show();
  }

  test(): Promise<NotificationTrial> {
    const { asked, clock } = this.#ports;
    asked.set();
    const { promise, resolve } = Promise.withResolvers<NotificationTrial>();
    const notification = this.#create({ title: m.notification_test_title(), body: m.notification_test_body() });
    const cancel = clock.after(TRIAL_MS, () => resolve({ outcome: 'unknown', reason: '' }));
    notification.on('show', () => resolve({ outcome: 'shown', reason: '' }));
    notification.on('click', () => this.#onClick(notification, HISTORY));
    notification.on('failed', (_event, reason) => {
      this.#held.delete(notification);
      resolve({ outcome: 'failed', reason: reasonOf(reason) });
    });
    notification.show();
    return promise.finally(cancel);
  }

  /** Returns a function to call when settings change. Turning a kind on asks for notifications. */
  follow({ notify }: Pick<Settings, 'notify'>): (changed: Pick<Settings, 'notify'>) => void {
    let before = notify;
    return ({ notify }) => {
      const isTurnedOn = Object.entries(notify).some(([kind, on]) => on && !before[kind as keyof typeof before]);
      before = notify;
      const { platform, asked, log } = this.#ports;
      if (!isTurnedOn || platform !== 'darwin' || asked.get()) return;
      void this.test().then(({ outcome, reason }) => {
        if (outcome === 'failed') log('warn', 'Could not show a notification', { reason });
      });
    };
  }

  /** Opens the history after clicks on Windows that no notification of this run gets. They may be reported at once. */
  followActivations(): void {
    if (this.#ports.platform === 'win32') Notification.handleActivation(() => this.#clicks.recordActivation());
  }

  #create(options: NotificationConstructorOptions): Notification {
    const icon = this.#ports.platform === 'linux' ? { icon: ICON_FILE } : {};
    // By default `low`, which some desktops do not show.
    const notification = new Notification({ ...options, urgency: 'normal', ...icon });
    this.#clicks.recordShown();
    this.#held.add(notification);
    const [oldest] = this.#held;
    if (oldest && this.#held.size > MAX_HELD) this.#held.delete(oldest);
    return notification;
  }

  #onClick(notification: Notification, target: Target | null): void {
    this.#clicks.recordClick();
    this.#held.delete(notification);
    if (target) this.#ports.goTo(target);
  }
}

/** On Windows the banner closes while the notification can still be clicked in the notification center. */
function staysListed({ reason }: Event<NotificationCloseEventParams>): boolean {
  return reason === 'timedOut' || reason === 'applicationHidden';
}

/** On Linux, Electron gives no reason. */
function reasonOf(given: string): string {
  return bareLine(given, MAX_REASON) || m.notification_no_service();
}

/** Linux parses the body, but not the title, as markup (Desktop Notifications Specification). */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface NotificationText {
  title: string;
  body: string;
  buttons: { text: string; target: Target | null }[];
}

const MAX_BUTTONS = 2;
const MAX_TITLE = 80;
const MAX_LINE = 120;

/** `now` in ms since 1970. */
interface DateForm {
  now: number;
  dateLocale: string;
}

export function notificationText(notification: NotificationGroup, dates: DateForm): NotificationText {
  const text = groupText(notification, {
    name: (each) => nameOf(each, dates),
    detail: detailOf,
    line: (each) => lineOf(each, dates),
  });
  return { ...text, buttons: buttonsOf(notification) };
}

function nameOf(notification: StoredNotification, { now, dateLocale }: DateForm): string {
  const { kind, label, title } = notification;
  if (kind === 'saved') return bareLine(savedSearchText(notification), MAX_TITLE);
  const text = bareLine(title, MAX_TITLE);
  if (kind === 'story' || kind === 'models') return text || notificationUntitled[kind]();
  // A report is known by its days, whatever its headline.
  const name = reportKinds[kind]();
  return label === null ? name : `${name} · ${reportPeriod(kind, label, now, dateLocale)}`;
}

function detailOf({ kind, title, count }: StoredNotification): string {
  const headline = kind === 'story' || kind === 'models' ? '' : bareLine(title, MAX_LINE);
  return headline || notificationDetail[kind]({ count });
}

function lineOf(notification: StoredNotification, dates: DateForm): string {
  const [name, detail] = [nameOf(notification, dates), detailOf(notification)];
  return bareLine(m.notification_line({ name, detail }), MAX_LINE);
}

function buttonsOf({ notifications, target }: NotificationGroup): NotificationText['buttons'] {
  const single = notifications.filter(({ kind }) => notifications.filter((other) => other.kind === kind).length === 1);
  if (notifications.length > 1 && single.length > 0) {
    return single
      .slice(0, MAX_BUTTONS)
      .map((notification) => ({ text: notificationOpenKind[notification.kind](), target: notification.target }));
  }
  return [
    { text: m.notification_open(), target },
    { text: m.notification_later(), target: null },
  ];
}

const PAIR_MS = 500;

/**
 * Windows reports each click as an activation, and Electron to the notification too if that is still in memory. Nothing
 * connects the two, and either can come first.
 */
class ToastClicks {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #open: () => void;
  /** Clicks without an activation so far, in ms since 1970. */
  #clickedAt: number[] = [];
  #waiting: (() => void)[] = [];
  #anyShown = false;

  constructor(clock: Pick<Clock, 'now' | 'after'>, open: () => void) {
    this.#clock = clock;
    this.#open = open;
  }

  recordShown(): void {
    this.#anyShown = true;
  }

  recordClick(): void {
    const cancel = this.#waiting.shift();
    if (cancel) return cancel();
    this.#clickedAt = [...this.#fresh(), this.#clock.now()];
  }

  recordActivation(): void {
    if (!this.#anyShown) return this.#open();
    this.#clickedAt = this.#fresh();
    if (this.#clickedAt.shift() !== undefined) return;
    const cancel = this.#clock.after(PAIR_MS, () => {
      this.#waiting = this.#waiting.filter((one) => one !== cancel);
      this.#open();
    });
    this.#waiting.push(cancel);
  }

  #fresh(): number[] {
    return this.#clickedAt.filter((at) => Math.abs(this.#clock.now() - at) <= PAIR_MS);
  }
}
