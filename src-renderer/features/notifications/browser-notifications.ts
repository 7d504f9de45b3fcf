import type { NotificationGroup as Raised } from '../../../src-main/contract/model/notification.ts';
import type { Target } from '../../../src-main/contract/targets.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { language } from '../../ui/language.svelte.ts';
import { notificationText } from './notification-text.ts';

interface BrowserNotificationsPorts {
  wire: Wire;
  /** Whether the page is to show them: a desktop host does it itself. */
  isWanted(): boolean;
  goTo(target: Target): void;
}

/** Held by the one of several open tabs that shows notifications. */
const LOCK = 'broadsheet.notifications';

/** Shows notifications by the browser's means, where the app has allowed it. Nothing here asks for permission. */
export class BrowserNotifications {
  readonly #ports: BrowserNotificationsPorts;
  #leads = false;

  constructor(ports: BrowserNotificationsPorts) {
    this.#ports = ports;
  }

  /** Answers how to end it. */
  listen(): () => void {
    const leaving = Promise.withResolvers<null>();
    this.#lead(leaving.promise);
    const end = this.#ports.wire.on('notifications.raised', (raised) => this.#show(raised));
    return () => {
      end();
      this.#leads = false;
      leaving.resolve(null);
    };
  }

  /** The first tab holds the lock while it is open; then the next one gets it. A browser puts no tab to sleep that holds one. */
  #lead(until: Promise<null>): void {
    // Only pages of secure addresses have locks, and this machine's own are.
    if (!('locks' in navigator)) {
      this.#leads = true;
      return;
    }
    const hold = (): Promise<null> => {
      this.#leads = true;
      return until;
    };
    navigator.locks.request(LOCK, hold).catch(() => undefined);
  }

  #show(raised: Raised): void {
    if (!this.#leads || !this.#ports.isWanted()) return;
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    const { title, body } = notificationText(raised, language);
    const tag = `broadsheet-${String(raised.notifications[0]?.id ?? 0)}`;
    try {
      const notification = new Notification(title, { body, tag, lang: language.locale });
      notification.addEventListener('click', () => {
        notification.close();
        window.focus();
        this.#ports.goTo(raised.target);
      });
    } catch {
      // Browsers of telephones show them for service workers alone; the history has it.
    }
  }
}
