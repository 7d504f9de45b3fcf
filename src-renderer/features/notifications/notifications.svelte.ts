import type { NotificationGroup, StoredNotification } from '../../../src-main/contract/model/notification.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

const MOST_LISTED = 500;
/** Storage key of the id of the newest notification that was shown in the history. */
const SEEN = 'broadsheet.notificationsSeen';

/** The history of notifications, and if it has grown since it was last opened. */
export class NotificationsState {
  readonly #wire: Wire;
  readonly list = new AsyncResource<{ notifications: StoredNotification[] }>();
  #newest = $state(0);
  #seen = $state(Infinity);
  /** The newest id that was seen before the history was opened: newer notifications are marked as new. */
  #seenBefore = $state(0);
  #open = false;

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.refresh());
    wire.on('notifications.changed', () => void this.refresh());
  }

  /** Newest first. */
  get notifications(): readonly StoredNotification[] {
    return this.list.value?.notifications ?? [];
  }
  /** True if there is a notification that the user has not seen. */
  get unseen(): boolean {
    return this.#newest > this.#seen;
  }

  isNew({ id }: StoredNotification): boolean {
    return id > this.#seenBefore;
  }

  /** Starts to follow the history. On the first visit, everything there counts as seen. */
  async load(): Promise<void> {
    await this.refresh();
    const saved = read();
    this.#seen = saved === null ? this.#newest : Math.min(saved, this.#newest);
  }

  /** Reads the newest notification, or the whole history while it is open. */
  async refresh(): Promise<void> {
    if (this.#open) return this.#readAll();
    const reply = await this.#wire.call('notifications.list', { limit: 1 });
    if (reply.ok) this.#newest = reply.value.notifications[0]?.id ?? 0;
  }

  /** Calls the listener for each group to be shown to the user. Returns the function that stops it. */
  onRaised(listener: (group: NotificationGroup) => void): () => void {
    return this.#wire.on('notifications.raised', listener);
  }

  async open(): Promise<void> {
    this.#open = true;
    this.#seenBefore = this.#seen;
    await this.#readAll();
  }

  close(): void {
    this.#open = false;
    this.list.clear();
  }

  async #readAll(): Promise<void> {
    const read = await this.list.read(this.#wire.call('notifications.list', { limit: MOST_LISTED }));
    if (!read || !this.#open) return;
    this.#newest = read.notifications[0]?.id ?? 0;
    this.#seen = this.#newest;
    write(this.#seen);
  }
}

function read(): number | null {
  try {
    const saved = Number(localStorage.getItem(SEEN) ?? NaN);
    return Number.isInteger(saved) ? saved : null;
  } catch {
    return null;
  }
}

function write(seen: number): void {
  try {
    localStorage.setItem(SEEN, String(seen));
  } catch {
    // Storage may be disabled: the next start then counts everything it finds as seen.
  }
}
