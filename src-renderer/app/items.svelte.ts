import { marksDone, severalDone } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../src-main/contract/errors.ts';
import type { ItemAction, ItemRow, ItemStatus, StoredItem } from '../../src-main/contract/model/item.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { FeedState, MarkedAsRead } from '../features/feed/index.ts';
import { ReadTimer, type ReadingState } from '../features/reading/index.ts';
import type { Announcer } from '../ui/feedback/toasts.svelte.ts';
import type { Toasts } from '../ui/page-context.ts';
import type { Undoable, UndoStack } from './undo.svelte.ts';

/** In ms. Rows that are scrolled past within this time are marked together. */
const PASS_MS = 500;
/** Most items per call. */
const MOST_AT_ONCE = 1_000;
/** Most calls that one undo step takes back: the core keeps the latest two hundred. */
const MOST_KEYS = 50;

interface ItemsOptions {
  wire: Wire;
  feed: FeedState;
  reading: ReadingState;
  /** The item that covers a story or a report. */
  inPlace: ReadingState;
  toasts: Toasts;
  announcer: Announcer;
  undo: UndoStack;
  countsAsRead: () => Settings['countsAsRead'];
}

/** Opens items of the feed and changes their status, in the lists and in the reading pane alike. */
export class ItemsState {
  readonly #options: ItemsOptions;
  readonly #readTimer = new ReadTimer();
  /** The index of the open item in its list. */
  #place = 0;

  constructor(options: ItemsOptions) {
    this.#options = options;
  }

  /** Opens an item, marks it as read as the settings say, and ends the selection. */
  open(item: StoredItem, stored = true): void {
    const { feed, reading } = this.#options;
    feed.reopened = null;
    this.#show(item, stored);
    this.#countAsRead(item, reading);
  }

  /**
   * Opens a saved item that the reader left open, without a change of its status or of the scroll position. If it is
   * gone, nothing is opened.
   */
  async reopen(id: string): Promise<void> {
    const { feed, reading } = this.#options;
    const item = feed.rowOf(id) ?? (await this.saved(id));
    if (item) {
      feed.reopened = id;
      this.#show(item, true);
    } else reading.close();
  }

  /** Returns a saved item; null if it can't be read. */
  async saved(id: string): Promise<StoredItem | null> {
    const reply = await this.#options.wire.call('items.get', { id });
    return reply.ok ? reply.value : null;
  }

  #show(item: StoredItem, stored: boolean): void {
    const { feed, reading } = this.#options;
    feed.selection.clear();
    reading.open(item, stored);
    const place = feed.placeOf(item.id);
    // An item that is not in the list was opened from one that is: the next step returns there.
    if (place >= 0) this.#place = place;
    feed.shown.hold(item.id);
  }

  openInPlace(item: StoredItem): void {
    const { inPlace } = this.#options;
    inPlace.open(item);
    this.#countAsRead(item, inPlace);
  }

  /** Opens a row of the topmost list. A result of an online search is opened as the saved item if there is one. */
  openRow(row: ItemRow): void {
    const { overlay } = this.#options.feed;
    if (overlay.kind === null) this.open(row);
    else if (overlay.isStored(row.id)) void this.#openStored(row);
    else this.open(row, false);
  }

  /**
   * Opens the next (1) or previous (-1) item of the list; the first one if none is open. Returns false if there was
   * none.
   */
  async step(by: 1 | -1): Promise<boolean> {
    const { feed, reading } = this.#options;
    for (let at = Math.max(0, this.#from(by) + by); at >= 0; at += by) {
      const row = feed.rows.at(at) ?? (await feed.rows.row(at));
      // Skips removed items; they don't end the list.
      if (row === null && feed.rows.at(at) === null) continue;
      if (!row || row.id === reading.item?.id) return false;
      if (feed.isWithdrawn(row)) continue;
      this.openRow(row);
      return true;
    }
    return false;
  }

  /** Opens the next unread item of the list, after the open one or from the top. Returns false if there was none. */
  async stepUnread(from: 'here' | 'top' = 'here'): Promise<boolean> {
    const { feed } = this.#options;
    let row = await feed.rows.unreadAfter(from === 'top' ? -1 : this.#from(1));
    while (row && feed.isWithdrawn(row)) row = await feed.rows.unreadAfter(feed.placeOf(row.id));
    if (row) this.openRow(row);
    return row !== null;
  }

  toggleRead(item: StoredItem | null = this.#options.reading.item): void {
    if (item) this.#byHand(item, item.state.readAt === null ? 'read' : 'unread');
  }

  toggleStar(item: StoredItem | null = this.#options.reading.item): void {
    if (item) this.#byHand(item, item.state.starredAt === null ? 'star' : 'unstar');
  }

  /**
   * Changes the status at once on the page, then in the core; reverts if that fails. Returns the undo key; null if
   * nothing changed or it failed.
   */
  async mark(item: StoredItem, mark: ItemAction): Promise<string | null> {
    const { wire, toasts } = this.#options;
    this.#chosen(item.id, mark);
    this.#patch(item.id, statusAfter(item.state, mark));
    const reply = await wire.call('items.mark', { ids: [item.id], mark });
    if (reply.ok) return reply.value.undo;
    this.#patch(item.id, item.state);
    toasts.complain(m.failure_mark_failed(), reply.error);
    return null;
  }

  /** Marks the whole list as read and offers to undo it. */
  markAllRead(): Promise<void> {
    void this.savePassed();
    return this.#options.undo.next(() => this.#markAllRead(() => this.#options.feed.shown.marking.all()));
  }

  /** Marks everything above or below a row of the feed's list as read. Default: the row with the cursor. */
  markBeside(side: 'above' | 'below', index = this.#options.feed.cursor.active): Promise<void> {
    const { feed, toasts, undo } = this.#options;
    if (index < 0 || feed.overlay.kind !== null) {
      toasts.show(m.list_mark_beside_none());
      return Promise.resolve();
    }
    void this.savePassed();
    return undo.next(() => this.#markAllRead(() => feed.shown.marking.beside(index, side)));
  }

  /** Marks several items at once, and offers to undo it as one step. */
  markSeveral(rows: readonly StoredItem[], mark: ItemAction): Promise<void> {
    void this.savePassed();
    return this.#options.undo.next(() => this.#markSeveral(rows, mark));
  }

  /** Rows that were scrolled past and are not marked yet. */
  readonly #passing = new Map<string, StoredItem>();
  #passTimer: ReturnType<typeof setTimeout> | undefined;
  /** Everything marked by scrolling is one undo step, until another action. */
  #passed: { step: Undoable; keys: string[]; count: number } | null = null;

  /** Marks rows that were scrolled past as read, in batches of half a second. */
  markPassed(rows: readonly StoredItem[]): void {
    const unread = rows.filter(({ state }) => state.readAt === null);
    for (const row of unread) this.#passing.set(row.id, row);
    if (this.#passing.size > 0) this.#passTimer ??= setTimeout(() => void this.savePassed(), PASS_MS);
  }

  /** Marks the pending rows now. Resolves when they are saved. */
  savePassed(): Promise<void> {
    clearTimeout(this.#passTimer);
    this.#passTimer = undefined;
    const rows = [...this.#passing.values()].slice(0, MOST_AT_ONCE);
    for (const { id } of rows) this.#passing.delete(id);
    if (this.#passing.size > 0) this.markPassed([...this.#passing.values()]);
    return rows.length === 0 ? Promise.resolve() : this.#options.undo.next(() => this.#markPassed(rows));
  }

  /** Drops the pending rows: they belong to data that is no longer there. */
  dropPassed(): void {
    clearTimeout(this.#passTimer);
    this.#passTimer = undefined;
    this.#passing.clear();
  }

  async #markPassed(rows: readonly StoredItem[]): Promise<void> {
    const { undo } = this.#options;
    const done = await this.#markIds(rows, 'read');
    if (!done?.key) return;
    const { changed, key } = done;
    if (this.#passed && undo.last === this.#passed.step && this.#passed.keys.length < MOST_KEYS) {
      this.#passed.keys.push(key);
      this.#passed.count += changed;
      this.#passed.step.what = m.list_marked_read({ count: this.#passed.count });
      return;
    }
    const keys = [key];
    const what = m.list_marked_read({ count: changed });
    const step: Undoable = { what, bulk: false, takeBack: () => this.#takeBackPassed(keys) };
    this.#passed = { step, keys, count: changed };
    undo.push(step);
  }

  /** Undoes all of it. Keys that failed stay, so that they can be tried again. */
  async #takeBackPassed(keys: string[]): Promise<boolean> {
    const { feed, toasts } = this.#options;
    let restored = 0;
    for (let key = keys.at(-1); key !== undefined; key = keys.at(-1)) {
      const result = await feed.shown.marking.undo(key);
      if (typeof result === 'number') restored += result;
      else if (result.code !== 'not_found') {
        toasts.complain(m.failure_title(), result);
        return false;
      }
      keys.pop();
    }
    toasts.show(m.list_undone({ count: restored }));
    return true;
  }

  async #markSeveral(rows: readonly StoredItem[], mark: ItemAction): Promise<void> {
    const { toasts, undo } = this.#options;
    const done = await this.#markIds(rows, mark, { bulk: true });
    if (!done) return;
    const { changed, key } = done;
    if (key === null) {
      toasts.show(m.list_nothing_to_mark());
      return;
    }
    const what = severalDone[mark]({ count: changed });
    const step: Undoable = { what, bulk: true, takeBack: () => this.#takeBackAll(key) };
    undo.push(step);
    toasts.show(what, { action: { label: m.list_undo(), run: () => void undo.undo(step) } });
  }

  /**
   * Marks items at once on the page, then in the core. Returns the undo key, null if nothing changed; null itself if it
   * failed, which is reported.
   */
  async #markIds(
    rows: readonly StoredItem[],
    mark: ItemAction,
    how: { bulk?: true } = {},
  ): Promise<{ key: string | null; changed: number } | null> {
    const { feed, reading, toasts, wire } = this.#options;
    const before = new Map(rows.map(({ id, state }) => [id, state]));
    const show = (states: ReadonlyMap<string, ItemStatus>): void => {
      feed.patchStates(states);
      const open = reading.item && states.get(reading.item.id);
      if (reading.item && open) this.#patch(reading.item.id, open);
    };
    if (rows.length === 0) return null;
    for (const id of before.keys()) this.#chosen(id, mark);
    show(new Map(rows.map(({ id, state }) => [id, statusAfter(state, mark)])));
    const reply = await wire.call('items.mark', { ids: [...before.keys()], mark, ...how });
    if (!reply.ok) {
      show(before);
      toasts.complain(m.failure_mark_failed(), reply.error);
      return null;
    }
    const { changed, undo } = reply.value;
    return { key: undo, changed };
  }

  /** Ends the automatic marking of an item whose status the reader chose. */
  #chosen(id: string, mark: ItemAction): void {
    if (mark !== 'read' && mark !== 'unread') return;
    if (this.#readTimer.id === id) this.#readTimer.stop();
    this.#passing.delete(id);
  }

  async #markAllRead(run: () => Promise<MarkedAsRead | Failure>): Promise<void> {
    const { feed, reading, toasts } = this.#options;
    const receipt = await run();
    if ('code' in receipt) {
      toasts.complain(m.failure_mark_failed(), receipt);
      return;
    }
    const { changed, undo } = receipt;
    if (undo === null) {
      toasts.show(m.list_nothing_to_mark());
      return;
    }
    const open = reading.item;
    const row = open && feed.shown.at(feed.shown.indexOf(open.id));
    if (open && row && row.state.readAt !== null) this.#patch(open.id, statusAfter(open.state, 'read'));
    const what = m.list_marked_read({ count: changed });
    const step = { what, bulk: true, takeBack: () => this.#takeBackAll(undo) };
    this.#options.undo.push(step);
    toasts.show(what, { action: { label: m.list_undo(), run: () => void this.#options.undo.undo(step) } });
  }

  #byHand(item: StoredItem, mark: ItemAction): void {
    void this.#options.undo.during(this.#markByHand(item, mark));
  }

  /** Marks an item by the reader's own action, with a message and an undo step. */
  async #markByHand(item: StoredItem, mark: ItemAction): Promise<void> {
    const { announcer, undo } = this.#options;
    const key = await this.mark(item, mark);
    if (key === null) return;
    const what = marksDone[mark]();
    announcer.say(what);
    undo.push({ what, bulk: false, takeBack: () => this.#takeBack(item.id, key, what) });
  }

  /** Returns the index of the open item, its last one if it has left the list; -1 if none is open. */
  #from(by: 1 | -1): number {
    const { feed, reading } = this.#options;
    const id = reading.item?.id;
    if (id === undefined) return -1;
    const known = feed.placeOf(id);
    return known >= 0 ? known : this.#place - (by === 1 ? 1 : 0);
  }

  async #openStored(row: ItemRow): Promise<void> {
    const reply = await this.#options.wire.call('items.get', { id: row.id });
    this.open(reply.ok ? reply.value : row, reply.ok);
  }

  /**
   * Marks an opened item as read at once, after a delay or never, as the settings say. Also marks one that is read
   * already: it may only have started as read, which reports don't count. Has no other effect.
   */
  #countAsRead(item: StoredItem, reading: ReadingState): void {
    const { countsAsRead } = this.#options;
    this.#readTimer.stop();
    if (countsAsRead() === 'opened') void this.mark(item, 'read');
    else if (countsAsRead() === 'afterDelay')
      this.#readTimer.start(item.id, () => this.#readAfterDelay(item.id, reading));
  }

  /** Marks an item as read after the delay if it is still open and its status was not chosen meanwhile. */
  #readAfterDelay(id: string, { item }: ReadingState): void {
    if (item?.id === id) void this.mark(item, 'read');
  }

  async #takeBack(id: string, key: string, what: string): Promise<boolean> {
    const { wire, toasts } = this.#options;
    const reply = await wire.call('items.undoMark', { undo: key });
    if (!reply.ok) {
      toasts.complain(m.failure_mark_failed(), reply.error);
      // Gone for good: the next undo is for the action before.
      return reply.error.code === 'not_found';
    }
    const item = await wire.call('items.get', { id });
    if (item.ok) this.#patch(id, item.value.state);
    toasts.show(m.undo_done({ what }));
    return true;
  }

  async #takeBackAll(key: string): Promise<boolean> {
    const { feed, toasts } = this.#options;
    const restored = await feed.shown.marking.undo(key);
    if (typeof restored !== 'number') {
      toasts.complain(m.failure_title(), restored);
      return restored.code === 'not_found';
    }
    toasts.show(m.list_undone({ count: restored }));
    return true;
  }

  #patch(id: string, state: ItemStatus): void {
    this.#options.feed.patchStates(new Map([[id, state]]));
    this.#options.reading.patchState(id, state);
    this.#options.inPlace.patchState(id, state);
  }
}

function statusAfter(status: ItemStatus, action: ItemAction): ItemStatus {
  const now = new Date().toISOString();
  switch (action) {
    case 'read':
      return { ...status, readAt: status.readAt ?? now };
    case 'unread':
      return { ...status, readAt: null };
    case 'star':
      return { ...status, starredAt: status.starredAt ?? now };
    case 'unstar':
      return { ...status, starredAt: null };
  }
}
