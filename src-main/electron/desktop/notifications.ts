import type { Event, Notification, NotificationCloseEventParams, NotificationConstructorOptions } from 'electron';
import type { NotificationGroup as Raised } from '../../contract/model/notification.ts';
import type { Log } from '../../contract/ports.ts';
import type { Target } from '../../contract/targets.ts';
import { notificationText } from './notification-text.ts';

type Shown = Pick<Notification, 'on' | 'show'>;

export interface NotificationPorts {
  Notification: (new (options: NotificationConstructorOptions) => Shown) & Pick<typeof Notification, 'isSupported'>;
  platform: NodeJS.Platform;
  /** Shown beside the text where the system takes none from the app itself. */
  icon: string;
  /** Shows the window, and a place in it. */
  goTo(target: Target): void;
  log: Log;
}

/** More than a reader has in view; the oldest ones lose their click first. */
const MOST_KEPT = 20;

/** Shows notifications by the system's own means. */
export class Notifications {
  readonly #ports: NotificationPorts;
  /** Each until it is done with: one that is collected as garbage is deaf to a click, and gone on macOS. */
  readonly #kept = new Set<Shown>();

  constructor(ports: NotificationPorts) {
    this.#ports = ports;
  }

  get kept(): number {
    return this.#kept.size;
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
    this.#keep(notification);
    notification.on('click', () => this.#done(notification, raised.target));
    notification.on('action', ({ actionIndex }) => this.#done(notification, buttons[actionIndex]?.target ?? null));
    notification.on('close', (event) => {
      if (!staysListed(event)) this.#kept.delete(notification);
    });
    notification.on('failed', (_event, reason) => {
      this.#kept.delete(notification);
      log('warn', 'A notification could not be shown', { reason });
    });
    notification.show();
  }

  #keep(notification: Shown): void {
    this.#kept.add(notification);
    const [oldest] = this.#kept;
    if (oldest && this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
  }

  #done(notification: Shown, target: Target | null): void {
    this.#kept.delete(notification);
    if (target) this.#ports.goTo(target);
  }
}

/** Windows tells that the banner is gone, while the notification still waits in its list to be clicked. */
function staysListed({ reason }: Event<NotificationCloseEventParams>): boolean {
  return reason === 'timedOut' || reason === 'applicationHidden';
}

/** Linux reads the body, and only that, as markup (Desktop Notifications Specification); the service's texts have none. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
