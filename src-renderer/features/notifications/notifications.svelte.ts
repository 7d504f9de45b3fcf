import type { StoredNotification } from '../../../src-main/contract/model/notification.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

const MOST_LISTED = 500;
/** The id of the newest notification that the app saw in the history. */
const SEEN = 'broadsheet.notificationsSeen';

/** The history of notifications, and whether something came to it since it was last looked at. */
export class NotificationsState {
  readonly #wire: Wire;
  readonly list = new AsyncResource<{ notifications: StoredNotification[] }>();
  #newest = $state(0);
  #seen = $state(Infinity);
  /** What was seen before the history was opened: what came after it is marked as new as long as it is open. */
  #seenBefore = $state(0);
  #open = false;

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.look());
    wire.on('notifications.changed', () => void this.look());
  }

  /** Newest first. */
  get notifications(): readonly StoredNotification[] {
    return this.list.value?.notifications ?? [];
  }
  /** Whether something came since the app last looked. */
  get unseen(): boolean {
    return this.#newest > this.#seen;
  }

  isFresh({ id }: StoredNotification): boolean {
    return id > this.#seenBefore;
  }

  /** Begins to follow the history. What a browser finds there at its first visit is nothing new to it. */
  async load(): Promise<void> {
    await this.look();
    const kept = read();
    this.#seen = kept === null ? this.#newest : Math.min(kept, this.#newest);
  }

  /** Reads what is new: all of the history while it is open. */
  async look(): Promise<void> {
    if (this.#open) return this.#readAll();
    const reply = await this.#wire.call('notifications.list', { limit: 1 });
    if (reply.ok) this.#newest = reply.value.notifications[0]?.id ?? 0;
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
    const kept = Number(localStorage.getItem(SEEN) ?? NaN);
    return Number.isInteger(kept) ? kept : null;
  } catch {
    return null;
  }
}

function write(seen: number): void {
  try {
    localStorage.setItem(SEEN, String(seen));
  } catch {
    // Storage may be switched off: the next start takes what it finds for seen.
  }
}
