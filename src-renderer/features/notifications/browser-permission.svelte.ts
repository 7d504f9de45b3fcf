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
