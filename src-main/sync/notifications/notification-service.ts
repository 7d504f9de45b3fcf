import { toFailure } from '../../contract/errors.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { StoredNotification } from '../../contract/model/notification.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { FoundNotification, NotificationRecord, Transaction } from '../../store/index.ts';
import type { Emit } from '../../contract/events.ts';
import { NotificationFinder, NOTHING, type Finding, type FinderPorts } from './notification-finder.ts';
import { quietUntil, decideStates, targetOf, type NotificationSettings } from './notification-rules.ts';

/** In ms: the computer may sleep, or its clock or time zone may change. */
const MAX_SLEEP = 60_000;

interface NotificationPorts extends FinderPorts {
  clock: Clock;
  log: Log;
  emit: Emit;
  zone(): string;
  settings: NotificationSettings;
}

/** Saves a notification as shown before raising it, so that a crash can't show it twice. Raises none until started. */
export class NotificationService {
  readonly #ports: NotificationPorts;
  readonly #finder: NotificationFinder;
  #settings: NotificationSettings;
  #started = false;
  #cancel: (() => void) | null = null;

  constructor(ports: NotificationPorts) {
    this.#ports = ports;
    this.#settings = ports.settings;
    this.#finder = new NotificationFinder(ports);
  }

  /** Those held back earlier follow with the first sync. */
  start(): void {
    this.#started = true;
    this.#attempt(() => this.#sleep(MAX_SLEEP));
  }

  stop(): void {
    this.#started = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  use(settings: NotificationSettings): void {
    this.#settings = settings;
    this.#settle(null);
  }

  afterRound(results: SyncResult['resources']): void {
    this.#settle(results);
  }

  #settle(results: SyncResult['resources'] | null): void {
    if (!this.#started) return;
    this.#attempt(() => {
      this.#raise(results && this.#finder.find(results));
      this.#sleep();
    });
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#ports.log('warn', message, { code });
    }
  }

  #raise(finding: Finding | null): void {
    const done = this.#ports.store.transaction((tx) => this.#settleAll(finding ?? NOTHING, tx));
    if (done.changed) this.#ports.emit('notifications.changed', {});
    const { shown: notifications, catchUp } = done;
    if (notifications.length > 0)
      this.#ports.emit('notifications.raised', { notifications, target: targetOf(notifications), catchUp });
  }

  #settleAll({ notifications, progress }: Finding, { notifications: table }: Transaction): Outcome {
    const { notifications: stored } = this.#ports.store.queries;
    const now = this.#ports.clock.now();
    const waiting = new Set(table.listHeld().map(({ id }) => id));
    const late = new Set<number>();
    const grown = this.#addAll(notifications, late, table, now);
    for (const { mirror, name, value } of progress) table.setProgress(mirror, name, value);
    this.#narrow(table);
    const open = table.listHeld();
    const { states, catchUp } = decideStates(
      open.map((record) => ({
        id: record.id,
        kind: record.kind,
        held: waiting.has(record.id),
        late: late.has(record.id),
        moot: stored.isMoot(record),
      })),
      this.#settings,
      { now, zone: this.#ports.zone() },
    );
    for (const [id, state] of states) if (state !== 'held') table.setState(id, state, now);
    const isNew = open.some(({ id }) => !waiting.has(id));
    if (isNew) table.prune();
    const shown = open
      .filter(({ id }) => states.get(id) === 'shown')
      .map((record) => stored.describe({ ...record, toldAt: now }));
    return { shown, catchUp, changed: isNew || grown || [...states.values()].some((state) => state !== 'held') };
  }

  /** Keeps at most one held notification for a saved search. Returns true if one has grown. */
  #addAll(
    notifications: Finding['notifications'],
    late: Set<number>,
    table: Transaction['notifications'],
    now: number,
  ): boolean {
    let grown = false;
    for (const notification of notifications) {
      const held = notification.kind === 'saved' ? findPendingLike(notification, table) : undefined;
      if (held) {
        table.extend(held, notification, now);
        grown = true;
        continue;
      }
      const id = table.add(notification, now);
      if (id !== null && notification.late) late.add(id);
    }
    return grown;
  }

  /** Removes items that were read, hidden or withdrawn since. */
  #narrow(table: Transaction['notifications']): void {
    const { notifications: stored } = this.#ports.store.queries;
    for (const record of table.listHeld()) {
      const left = stored.stillNew(record);
      if (left.length > 0 && left.length < record.items.length) table.narrow(record, left);
    }
  }

  #sleep(shortest = 0): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#ports.store.queries.notifications.listHeld().length === 0) return;
    const { clock, zone } = this.#ports;
    const now = clock.now();
    const until = quietUntil(this.#settings.quietHours, now, zone()) ?? now;
    const wait = Math.min(MAX_SLEEP, Math.max(shortest, until - now));
    this.#cancel = clock.after(wait, () => this.#settle(null));
  }
}

function findPendingLike(
  { mirror, target }: FoundNotification,
  table: Transaction['notifications'],
): NotificationRecord | undefined {
  const key = JSON.stringify(target);
  return table.listHeld().find((one) => one.mirror === mirror && JSON.stringify(one.target) === key);
}

interface Outcome {
  /** Newest first. */
  shown: StoredNotification[];
  catchUp: boolean;
  changed: boolean;
}
