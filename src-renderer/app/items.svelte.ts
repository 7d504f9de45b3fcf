import { marksDone, severalDone } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import { openItem, type ViewName } from '../../src-main/contract/location.ts';
import type { Reply } from '../../src-main/contract/methods.ts';
import type { ItemAction, ItemRow, StoredItem } from '../../src-main/contract/model/item.ts';
import type { Ref } from '../../src-main/contract/refs.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import type { LiveAnswers } from '../api/live.ts';
import { markItems, type FeedState, type Marked } from '../features/feed/index.ts';
import { ReadTimer, type ReadingState } from '../features/reading/index.ts';
import type { Act, PageHistory, Toasts } from '../ui/page-context.ts';
import type { Undoable, UndoStack } from './undo.svelte.ts';

/** In ms. Rows that are scrolled past within this time are marked together. */
const PASS_MS = 500;
const MOST_AT_ONCE = 1_000;
/** Most calls that one undo step takes back: the core keeps the latest two hundred. */
const MOST_CALLS = 50;

interface ItemsOptions {
  act: Act;
  live: LiveAnswers;
  feed: FeedState;
  reading: ReadingState;
  history: PageHistory;
  toasts: Toasts;
  undo: UndoStack;
  countsAsRead: () => Settings['countsAsRead'];
}

/** Opens items of the feed and changes their status, in the lists and in the reading pane alike. */
export class ItemsState {
  readonly #options: ItemsOptions;
  readonly #readTimer = new ReadTimer();

  constructor(options: ItemsOptions) {
    this.#options = options;
  }

  /** Opens an item, marks it as read as the settings say, and ends the selection. */
  open(item: StoredItem, stored = true): void {
    const { feed, history, reading } = this.#options;
    const isPreviewed = this.#isPreview && openItem(history.in('feed')) === item.id;
    reading.expect(item, stored);
    feed.reopened = null;
    history.go({ ...history.in('feed'), open: [{ view: 'item', id: item.id }] });
    // Taking up the preview counts it.
    if (!isPreviewed) this.#countAsRead(item, 'feed');
  }

  get first(): { ref: Ref; onopen: () => void } | undefined {
    const { feed } = this.#options;
    const row = feed.firstUnread;
    if (!row) return undefined;
    const onopen = (): void => {
      feed.keepOpen();
      this.#countAsRead(row, 'feed');
    };
    return { ref: { view: 'item', id: row.id }, onopen };
  }

  get #isPreview(): boolean {
    return this.#options.history.isPreview('feed');
  }

  /** Opens an item over the story or report that is open. Returns false if there is none. */
  openInPlace(item: StoredItem): boolean {
    const { history, reading } = this.#options;
    const isCovered = reading.cover(item);
    if (isCovered) this.#countAsRead(item, history.view);
    return isCovered;
  }

  /** Marks an item that another view has opened as read, as the settings say. */
  async openedIn(view: ViewName, id: string): Promise<void> {
    const { live, reading } = this.#options;
    await live.get('items.get', { id }).ready();
    const item = reading.itemIn(view);
    if (item?.id === id) this.#countAsRead(item, view);
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
      if (!row || (row.id === reading.item?.id && !this.#isPreview)) return false;
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

  toggleRead(item: StoredItem): void {
    this.#byHand(item, item.state.readAt === null ? 'read' : 'unread');
  }

  toggleStar(item: StoredItem): void {
    this.#byHand(item, item.state.starredAt === null ? 'star' : 'unstar');
  }

  /** Marks an item without a message and without an undo step. */
  async mark(item: StoredItem, action: ItemAction): Promise<void> {
    const reply = await this.#mark([item], action);
    if (!reply.ok) this.#options.toasts.complain(m.failure_mark_failed(), reply.error);
  }

  markAllRead(): Promise<void> {
    return this.#bulk(m.list_marked_read, () => this.#options.feed.shown.markRead());
  }

  /** Marks everything above or below a row of the feed's list as read. Default: the row with the cursor. */
  async markBeside(side: 'above' | 'below', index = this.#options.feed.cursor.active): Promise<void> {
    const { feed, toasts } = this.#options;
    const key = feed.overlay.kind === null ? feed.shown.keyAt(index) : undefined;
    if (key === undefined) toasts.show(m.list_mark_beside_none());
    else await this.#bulk(m.list_marked_read, () => feed.shown.markRead({ [side]: key }));
  }

  async markSeveral(rows: readonly StoredItem[], action: ItemAction): Promise<void> {
    if (rows.length > 0) await this.#bulk(severalDone[action], () => this.#mark(rows, action, { bulk: true }));
  }

  /** Rows that were scrolled past and are not marked yet. */
  readonly #passing = new Map<string, StoredItem>();
  #passTimer: ReturnType<typeof setTimeout> | undefined;
  /** Everything marked by scrolling is one undo step, until another action. */
  #passed: { step: Undoable; calls: Marked[] } | null = null;

  /** Marks rows that were scrolled past as read, in batches of half a second. */
  markPassed(rows: readonly StoredItem[]): void {
    const unread = rows.filter(({ state }) => state.readAt === null);
    for (const row of unread) this.#passing.set(row.id, row);
    if (this.#passing.size > 0) this.#passTimer ??= setTimeout(() => void this.savePassed(), PASS_MS);
  }

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
    const { toasts, undo } = this.#options;
    const reply = await this.#mark(rows, 'read');
    if (!reply.ok) toasts.complain(m.failure_mark_failed(), reply.error);
    if (!reply.ok || !reply.value.takeBack) return;
    if (!this.#passed || undo.last !== this.#passed.step || this.#passed.calls.length >= MOST_CALLS) {
      const calls: Marked[] = [];
      const step: Undoable = { what: '', bulk: false, takeBack: () => this.#takeBackPassed(calls) };
      this.#passed = { step, calls };
      undo.push(step);
    }
    const { step, calls } = this.#passed;
    calls.push(reply.value);
    step.what = m.list_marked_read({ count: calls.reduce((sum, { changed }) => sum + changed, 0) });
  }

  /** Undoes all of it. Calls that failed stay, so that they can be tried again. */
  async #takeBackPassed(calls: Marked[]): Promise<boolean> {
    const { toasts } = this.#options;
    let restored = 0;
    for (let last = calls.at(-1); last !== undefined; last = calls.at(-1)) {
      const reply = await last.takeBack?.();
      if (reply?.ok === true) restored += reply.value.restored;
      else if (reply && reply.error.code !== 'not_found') {
        toasts.complain(m.failure_title(), reply.error);
        return false;
      }
      calls.pop();
    }
    toasts.show(m.list_marked_unread({ count: restored }));
    return true;
  }

  #mark(rows: readonly StoredItem[], action: ItemAction, how: { bulk?: true } = {}): Promise<Reply<Marked>> {
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of ids) this.#chosen(id, action);
    const wanted = { action, isMarked: (id: string) => ids.has(id) };
    return markItems(this.#options.live, wanted, 'items.mark', { ids: [...ids], mark: action, ...how });
  }

  async #bulk(what: (inputs: { count: number }) => string, call: () => Promise<Reply<Marked>>): Promise<void> {
    const { act, toasts } = this.#options;
    void this.savePassed();
    const reply = await act({
      what: ({ changed, takeBack }) => takeBack && what({ count: changed }),
      call,
      takeBack: async ({ takeBack }) => (await takeBack?.()) ?? null,
      undone: ({ restored }) => m.list_marked_unread({ count: restored }),
      bulk: true,
      tell: 'toast',
    });
    if (reply.ok && !reply.value.takeBack) toasts.show(m.list_nothing_to_mark());
  }

  /** Ends the automatic marking of an item whose status the reader chose. */
  #chosen(id: string, mark: ItemAction): void {
    if (mark !== 'read' && mark !== 'unread') return;
    if (this.#readTimer.id === id) this.#readTimer.stop();
    this.#passing.delete(id);
  }

  /** Marks an item by the reader's own action, with a message and an undo step. */
  #byHand(item: StoredItem, action: ItemAction): void {
    void this.#options.act({
      what: ({ takeBack }) => takeBack && marksDone[action](),
      call: () => this.#mark([item], action),
      takeBack: async ({ takeBack }) => (await takeBack?.()) ?? null,
    });
  }

  /**
   * Returns the index of the open item, its last one if it has left the list; -1 if none is open. Steps begin with the
   * preview.
   */
  #from(by: 1 | -1): number {
    const { feed, reading } = this.#options;
    const id = reading.item?.id;
    if (id === undefined) return -1;
    const known = feed.placeOf(id);
    if (this.#isPreview) return known - by;
    return known >= 0 ? known : feed.openedAt - (by === 1 ? 1 : 0);
  }

  async #openStored(row: ItemRow): Promise<void> {
    const reply = await this.#options.live.call('items.get', { id: row.id });
    this.open(reply.ok ? reply.value : row, reply.ok);
  }

  /**
   * Marks an opened item as read at once, after a delay or never, as the settings say. Also marks one that is read
   * already: it may only have started as read, which reports don't count. Has no other effect.
   */
  #countAsRead(item: StoredItem, view: ViewName): void {
    const { countsAsRead } = this.#options;
    this.#readTimer.stop();
    if (countsAsRead() === 'opened') void this.mark(item, 'read');
    else if (countsAsRead() === 'afterDelay') this.#readTimer.start(item.id, () => this.#readAfterDelay(item.id, view));
  }

  /** Marks an item as read after the delay if it is still open and its status was not chosen meanwhile. */
  #readAfterDelay(id: string, view: ViewName): void {
    const item = this.#options.reading.itemIn(view);
    if (item?.id === id) void this.mark(item, 'read');
  }
}
