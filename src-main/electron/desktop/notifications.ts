import type { Event, Notification, NotificationCloseEventParams, NotificationConstructorOptions } from 'electron';
import { m } from '../../common/i18n/messages.ts';
import { bareLine } from '../../common/text.ts';
import type { NotificationGroup as Raised, NotificationTrial } from '../../contract/model/notification.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Target } from '../../contract/targets.ts';
import { notificationText } from './notification-text.ts';
import { ToastClicks } from './toast-clicks.ts';

type Shown = Pick<Notification, 'on' | 'show'>;

export interface NotificationPorts {
  Notification: (new (options: NotificationConstructorOptions) => Shown) &
    Pick<typeof Notification, 'isSupported' | 'handleActivation'>;
  platform: NodeJS.Platform;
  /** For systems that do not use the app icon. */
  icon: string;
  /** Shows the window and navigates to the target. */
  goTo(target: Target): void;
  /** Remembers whether the user has asked for notifications on this computer. */
  asked: { get(): boolean; set(): void };
  clock: Clock;
  log: Log;
}

/** More than fit on a screen. Clicks on older ones are lost. */
const MAX_HELD = 20;

/** What a notification of an earlier run was about is unknown; it is in the history. */
const HISTORY: Target = { view: 'notifications' };

/** How long a test waits for the system, in ms. On macOS the user may be answering a question meanwhile. */
const TRIAL_MS = 8_000;
const LONGEST_REASON = 200;

/**
 * Shows system notifications. On macOS the first one makes the system ask for permission. So none is shown there before the
 * user has asked for them, by turning a kind on or by a test: a question from the background is overlooked, and counts as a
 * refusal.
 */
export class Notifications {
  readonly #ports: NotificationPorts;
  /** Prevents garbage collection, after which a notification gets no clicks, and disappears on macOS. */
  readonly #held = new Set<Shown>();
  readonly #clicks: ToastClicks;

  constructor(ports: NotificationPorts) {
    this.#ports = ports;
    this.#clicks = new ToastClicks(ports.clock, () => ports.goTo(HISTORY));
  }

  get held(): number {
    return this.#held.size;
  }

  show(raised: Raised): void {
    const { Notification, platform, icon, log, asked } = this.#ports;
    if (!Notification.isSupported() || (platform === 'darwin' && !asked.get())) return;
    const { title, body, buttons: all } = notificationText(raised);
    // On Windows every button starts the app if it has quit, also one that should only dismiss.
    const buttons = platform === 'win32' ? all.filter(({ target }) => target !== null) : all;
    const notification = new Notification({
      title,
      body: platform === 'linux' ? escaped(body) : body,
      actions: buttons.map(({ text }) => ({ type: 'button', text })),
      // By default `low`, which some desktops do not show.
      urgency: 'normal',
      ...(platform === 'linux' ? { icon } : {}),
    });
    this.#hold(notification);
    notification.on('click', () => this.#clicked(notification, raised.target));
    notification.on('action', ({ actionIndex }) => this.#clicked(notification, buttons[actionIndex]?.target ?? null));
    notification.on('close', (event) => {
      if (!staysListed(event)) this.#held.delete(notification);
    });
    notification.on('failed', (_event, reason) => {
      this.#held.delete(notification);
      log('warn', 'Could not show a notification', { reason });
    });
    notification.show();
  }

  /** Shows a test notification. What the system says later than in {@link TRIAL_MS} is not waited for. */
  test(): Promise<NotificationTrial> {
    const { Notification, platform, icon, asked, clock } = this.#ports;
    asked.set();
    const { promise, resolve } = Promise.withResolvers<NotificationTrial>();
    const notification = new Notification({
      title: m.notification_test_title(),
      body: m.notification_test_body(),
      urgency: 'normal',
      ...(platform === 'linux' ? { icon } : {}),
    });
    this.#hold(notification);
    const cancel = clock.after(TRIAL_MS, () => resolve({ outcome: 'unknown', reason: '' }));
    notification.on('show', () => resolve({ outcome: 'shown', reason: '' }));
    notification.on('click', () => this.#clicked(notification, HISTORY));
    notification.on('failed', (_event, reason) => {
      this.#held.delete(notification);
      resolve({ outcome: 'failed', reason: bareLine(reason, LONGEST_REASON) });
    });
    notification.show();
    return promise.finally(cancel);
  }

  /** Turning a kind on asks for notifications. Returns what to call when the settings have changed. */
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

  /** Windows: opens the history after clicks that no notification of this run hears. They may be reported at once. */
  followActivations(): void {
    const { Notification, platform } = this.#ports;
    if (platform === 'win32') Notification.handleActivation(() => this.#clicks.activated());
  }

  #hold(notification: Shown): void {
    this.#clicks.shown();
    this.#held.add(notification);
    const [oldest] = this.#held;
    if (oldest && this.#held.size > MAX_HELD) this.#held.delete(oldest);
  }

  #clicked(notification: Shown, target: Target | null): void {
    this.#clicks.heard();
    this.#held.delete(notification);
    if (target) this.#ports.goTo(target);
  }
}

/** On Windows the banner closes while the notification can still be clicked in the notification center. */
function staysListed({ reason }: Event<NotificationCloseEventParams>): boolean {
  return reason === 'timedOut' || reason === 'applicationHidden';
}

/** Linux parses the body, but not the title, as markup (Desktop Notifications Specification). */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
