import { toFailure } from '../../contract/errors.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { NewNotification, StoredNotification } from '../../contract/model/notification.ts';
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
  setup: { findsNews?: boolean };
}

/**
 * Saves a notification as shown before raising it, so that a crash can't show it twice. Raises none until started, and finds
 * none either, unless `findsNews`.
 */
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
    if (!this.#started && !(results && this.#ports.setup.findsNews)) return;
    this.#attempt(() => {
      this.#raise(results && this.#finder.find(results));
      if (this.#started) this.#sleep();
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
    if (done.found.length > 0) this.#ports.emit('notifications.found', { notifications: done.found });
    const { shown: notifications, catchUp } = done;
    if (notifications.length > 0)
      this.#ports.emit('notifications.raised', { notifications, target: targetOf(notifications), catchUp });
  }

  #settleAll({ notifications, progress }: Finding, { notifications: table }: Transaction): Outcome {
    const { notifications: stored } = this.#ports.store.queries;
    const now = this.#ports.clock.now();
    const before = new Map(table.listWaiting().map(({ id, state }) => [id, state]));
    const { added, late, grown } = this.#addAll(notifications, table, now);
    const found = added.filter((record) => !stored.isMoot(record)).map((record) => this.#describe(record));
    for (const { mirror, name, value } of progress) table.setProgress(mirror, name, value);
    this.#narrow(table);
    const open = table.listWaiting();
    const { states, catchUp } = decideStates(
      open.map((record) => ({
        id: record.id,
        kind: record.kind,
        held: before.get(record.id) === 'held',
        late: late.has(record.id),
        moot: stored.isMoot(record),
      })),
      this.#settings,
      this.#started ? { now, zone: this.#ports.zone() } : null,
    );
    for (const { id, state } of open) if (states.get(id) !== state) table.setState(id, states.get(id) ?? state, now);
    const isNew = open.some(({ id }) => !before.has(id));
    if (isNew) table.prune();
    const shown = open
      .filter(({ id }) => states.get(id) === 'shown')
      .map((record) => stored.describe({ ...record, toldAt: now }));
    const isSettled = [...states.values()].some((state) => state === 'shown' || state === 'silent');
    return { found, shown, catchUp, changed: isNew || grown || isSettled };
  }

  /** Keeps at most one waiting notification for a saved search. */
  #addAll(notifications: Finding['notifications'], table: Transaction['notifications'], now: number): Added {
    const done: Added = { added: [], late: new Set(), grown: false };
    for (const notification of notifications) {
      const waiting = notification.kind === 'saved' ? findPendingLike(notification, table) : undefined;
      if (waiting) {
        table.extend(waiting, notification, now);
        done.grown = true;
      }
      const id = waiting?.id ?? table.add(notification, now);
      if (id === null) continue;
      if (notification.late) done.late.add(id);
      else
        done.added.push({
          ...notification,
          id,
          at: now,
          state: 'found',
          toldAt: null,
          items: notification.items ?? [],
        });
    }
    return done;
  }

  #describe(record: AddedRecord): NewNotification {
    const { notifications: stored } = this.#ports.store.queries;
    const first = stored.firstItem(record.items);
    const item = first && { id: first.id, link: first.link };
    return { ...stored.describe(record), item, priceChanged: record.priceChanged ?? false };
  }

  /** Removes items that were read, hidden or withdrawn since. */
  #narrow(table: Transaction['notifications']): void {
    const { notifications: stored } = this.#ports.store.queries;
    for (const record of table.listWaiting()) {
      const left = stored.stillNew(record);
      if (left.length > 0 && left.length < record.items.length) table.narrow(record, left);
    }
  }

  #sleep(shortest = 0): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#ports.store.queries.notifications.listWaiting().length === 0) return;
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
  return table.listWaiting().find((one) => one.mirror === mirror && JSON.stringify(one.target) === key);
}

type AddedRecord = NotificationRecord & { priceChanged?: boolean };

interface Added {
  /** Each with what it adds to what was known. */
  added: AddedRecord[];
  late: Set<number>;
  grown: boolean;
}

interface Outcome {
  found: NewNotification[];
  /** Newest first. */
  shown: StoredNotification[];
  catchUp: boolean;
  changed: boolean;
}
