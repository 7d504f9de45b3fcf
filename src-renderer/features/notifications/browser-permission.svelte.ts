/** What the browser says of notifications; `unsupported` where it has none, or only for secure addresses. */
export type BrowserPermission = NotificationPermission | 'unsupported';

/** The browser's permission to show notifications. It is asked for at the app's click and never by itself. */
export class BrowserPermissionState {
  #now = $state<BrowserPermission>(current());

  get now(): BrowserPermission {
    return this.#now;
  }

  /** To be called in a click: browsers refuse it elsewhere. */
  async ask(): Promise<void> {
    if (typeof Notification === 'undefined') return;
    try {
      this.#now = await Notification.requestPermission();
    } catch {
      this.#now = current();
    }
  }

  /** The app may have changed it in the browser's own settings. */
  look(): void {
    this.#now = current();
  }
}

function current(): BrowserPermission {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}
