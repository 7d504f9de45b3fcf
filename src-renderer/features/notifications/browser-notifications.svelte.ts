import type { NotificationGroup } from '../../../src-main/contract/model/notification.ts';
import type { Target } from '../../../src-main/contract/refs.ts';
import { language } from '../../ui/language.svelte.ts';
import { notificationText } from './notification-text.ts';

interface BrowserNotificationsPorts {
  /** Returns the function that ends it. */
  onRaised(listener: (group: NotificationGroup) => void): () => void;
  /** False under a desktop host, which shows them itself. */
  isWanted(): boolean;
  goTo(target: Target): void;
}

const LOCK = 'broadsheet.notifications';

/** Shows notifications through the browser, if the user has allowed it. Nothing here requests permission. */
export class BrowserNotifications {
  readonly #ports: BrowserNotificationsPorts;
  #leads = false;

  constructor(ports: BrowserNotificationsPorts) {
    this.#ports = ports;
  }

  /** Returns the function that stops it. */
  listen(): () => void {
    const leaving = Promise.withResolvers<null>();
    this.#lead(leaving.promise);
    const end = this.#ports.onRaised((group) => void this.#show(group));
    return () => {
      end();
      this.#leads = false;
      leaving.resolve(null);
    };
  }

  /**
   * Waits for the lock, which the first tab holds while it is open; then the next one gets it. Browsers do not suspend
   * a tab that holds a lock.
   */
  #lead(until: Promise<null>): void {
    // Browsers offer locks on secure addresses only, which include this machine's own.
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

  async #show(group: NotificationGroup): Promise<void> {
    if (!this.#leads || !this.#ports.isWanted()) return;
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    const tag = `broadsheet-${String(group.notifications[0]?.id ?? 0)}`;
    try {
      const { title, body } = notificationText(group, language);
      const notification = new Notification(title, { body, tag, lang: language.locale });
      notification.addEventListener('click', () => {
        notification.close();
        window.focus();
        this.#ports.goTo(group.target);
      });
    } catch {
      // Mobile browsers show notifications only for service workers. The history still lists it.
    }
  }
}

/** The browser's permission; `unsupported` if it has no notifications, or only for secure addresses. */
export type BrowserPermission = NotificationPermission | 'unsupported';

/** The browser's permission to show notifications. It is requested only when the user clicks. */
export class BrowserPermissionState {
  #now = $state<BrowserPermission>(current());

  get now(): BrowserPermission {
    return this.#now;
  }

  /** Call it in a click handler: browsers refuse it elsewhere. */
  async request(): Promise<void> {
    if (typeof Notification === 'undefined') return;
    try {
      this.#now = await Notification.requestPermission();
    } catch {
      this.#now = current();
    }
  }

  /** Reads it again: the user may have changed it in the browser's settings. */
  refresh(): void {
    this.#now = current();
  }
}

function current(): BrowserPermission {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}
