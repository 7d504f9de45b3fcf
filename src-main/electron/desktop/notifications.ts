import type { Event, Notification, NotificationCloseEventParams, NotificationConstructorOptions } from 'electron';
import type { NotificationGroup as Raised } from '../../contract/model/notification.ts';
import type { Log } from '../../contract/ports.ts';
import type { Target } from '../../contract/targets.ts';
import { notificationText } from './notification-text.ts';

type Shown = Pick<Notification, 'on' | 'show'>;

export interface NotificationPorts {
  Notification: (new (options: NotificationConstructorOptions) => Shown) & Pick<typeof Notification, 'isSupported'>;
  platform: NodeJS.Platform;
  /** For systems that do not use the app icon. */
  icon: string;
  /** Shows the window and navigates to the target. */
  goTo(target: Target): void;
  log: Log;
}

/** More than fit on a screen. Clicks on older ones are lost. */
const MAX_HELD = 20;

/** Shows system notifications. */
export class Notifications {
  readonly #ports: NotificationPorts;
  /** Prevents garbage collection, after which a notification gets no clicks, and disappears on macOS. */
  readonly #held = new Set<Shown>();

  constructor(ports: NotificationPorts) {
    this.#ports = ports;
  }

  get held(): number {
    return this.#held.size;
  }

  show(raised: Raised): void {
    const { Notification, platform, icon, log } = this.#ports;
    if (!Notification.isSupported()) return;
    const { title, body, buttons } = notificationText(raised);
    const notification = new Notification({
      title,
      body: platform === 'linux' ? escaped(body) : body,
      actions: buttons.map(({ text }) => ({ type: 'button', text })),
      // By default `low`, which some desktops do not show.
      urgency: 'normal',
      ...(platform === 'linux' ? { icon } : {}),
    });
    this.#hold(notification);
    notification.on('click', () => this.#done(notification, raised.target));
    notification.on('action', ({ actionIndex }) => this.#done(notification, buttons[actionIndex]?.target ?? null));
    notification.on('close', (event) => {
      if (!staysListed(event)) this.#held.delete(notification);
    });
    notification.on('failed', (_event, reason) => {
      this.#held.delete(notification);
      log('warn', 'Could not show a notification', { reason });
    });
    notification.show();
  }

  #hold(notification: Shown): void {
    this.#held.add(notification);
    const [oldest] = this.#held;
    if (oldest && this.#held.size > MAX_HELD) this.#held.delete(oldest);
  }

  #done(notification: Shown, target: Target | null): void {
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
