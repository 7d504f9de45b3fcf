import type { Failure } from '../../src-main/contract/errors.ts';
import type { ItemsQuery, Mark, ReaderState, StoredItem } from '../../src-main/contract/model.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { language } from '../i18n/language.svelte.ts';
import { queryOf, withText, type ViewId } from '../lib/query.ts';
import { safeLink } from '../lib/safe-link.ts';
import { ClockState } from './clock.svelte.ts';
import { CountsState } from './counts.svelte.ts';
import { LayoutState } from './layout.svelte.ts';
import { ListState } from './list.svelte.ts';
import { NotesState } from './notes.svelte.ts';
import { ReadingState } from './reading.svelte.ts';
import { SettingsState } from './settings.svelte.ts';
import { SyncState } from './sync.svelte.ts';

export type Panel = 'settings' | 'help' | 'views';

/** The page's whole state, and what the reader can do. */
export class Reader {
  readonly wire: Wire;
  readonly settings: SettingsState;
  readonly sync: SyncState;
  readonly counts: CountsState;
  readonly list: ListState;
  readonly reading: ReadingState;
  readonly notes = new NotesState();
  readonly clock = new ClockState();
  readonly layout = new LayoutState();
  #panel = $state<Panel | null>(null);
  #place = 0;

  constructor(wire: Wire) {
    this.wire = wire;
    this.settings = new SettingsState(wire);
    this.list = new ListState(wire);
    this.reading = new ReadingState(wire);
    this.counts = new CountsState(wire);
    this.sync = new SyncState(wire, (why) => {
      if (why === 'otherService') this.reading.close();
      void this.list.load();
    });
  }

  /** Ends when everything that the first paint needs is there. */
  async load(): Promise<void> {
    await Promise.all([this.settings.load(), this.sync.load(), this.counts.load(), this.list.load()]);
  }

  get panel(): Panel | null {
    return this.#panel;
  }
  set panel(panel: Panel | null) {
    this.#panel = panel;
  }

  show(view: ViewId): void {
    this.#panel = null;
    void this.list.load(queryOf(view, this.list.query.scope));
  }

  filter(query: ItemsQuery): void {
    void this.list.load(query);
  }

  search(text: string): void {
    if (text.trim() !== (this.list.query.text ?? '').trim()) void this.list.load(withText(this.list.query, text));
  }

  /** Opens an item for reading; it counts as read from then on. */
  open(item: StoredItem): void {
    this.reading.open(item);
    this.#place = Math.max(0, this.list.indexOf(item.id));
    if (item.state.readAt === null) void this.mark(item, 'read');
  }

  /** Opens the item after (1) or before (-1) the open one; the first one if none is open. */
  step(by: 1 | -1): void {
    const id = this.reading.item?.id;
    const known = id === undefined ? -1 : this.list.indexOf(id);
    // An open item that left the list keeps its place in it.
    const from = known >= 0 ? known : id === undefined ? -1 : this.#place - (by === 1 ? 1 : 0);
    const row = this.list.rows[Math.max(0, from + by)];
    if (row && row.id !== id) this.open(row);
  }

  toggleRead(): void {
    const item = this.reading.item;
    if (item) void this.mark(item, item.state.readAt === null ? 'read' : 'unread');
  }

  toggleStar(): void {
    const item = this.reading.item;
    if (item) void this.mark(item, item.state.starredAt === null ? 'star' : 'unstar');
  }

  /** Marks at once on the page, then in the core; goes back if the core could not keep it. */
  async mark(item: StoredItem, mark: Mark): Promise<void> {
    this.#patch(item.id, marked(item.state, mark));
    const reply = await this.wire.call('items.mark', { ids: [item.id], mark });
    if (reply.ok) return;
    this.#patch(item.id, item.state);
    this.#complain(language.words.failure.markFailed, reply.error);
  }

  async markAllRead(): Promise<void> {
    const words = language.words.list;
    const receipt = await this.list.markAllRead();
    if ('code' in receipt) {
      this.#complain(language.words.failure.markFailed, receipt);
      return;
    }
    const { changed, undo } = receipt;
    if (undo === null) {
      this.notes.show(words.nothingToMark);
      return;
    }
    const open = this.reading.item;
    if (open && this.list.indexOf(open.id) >= 0) this.#patch(open.id, marked(open.state, 'read'));
    this.notes.show(words.markedRead(changed), { action: { label: words.undo, run: () => void this.#undo(undo) } });
  }

  openOriginal(): void {
    const item = this.reading.item;
    if (item) this.openLink(item.links.original ?? item.links.aihot);
  }

  /** Opens a web link in the reader's browser; anything else is refused in words. */
  openLink(address: string | null): void {
    const url = safeLink(address);
    const words = language.words.article;
    if (url === null) return this.notes.show(address ? words.linkRefused : words.noLink, { tone: 'problem' });
    if (!this.settings.capabilities?.opensLinks) {
      window.open(url, '_blank', 'noopener,noreferrer');
      return;
    }
    void this.wire.call('links.open', { url }).then((reply) => {
      if (!reply.ok) this.#complain(language.words.failure.title, reply.error);
    });
  }

  async copyLink(address: string): Promise<void> {
    const words = language.words.article;
    try {
      await navigator.clipboard.writeText(address);
      this.notes.show(words.copied);
    } catch {
      this.notes.show(words.copyFailed, { tone: 'problem' });
    }
  }

  async #undo(action: string): Promise<void> {
    const restored = await this.list.undo(action);
    if (typeof restored === 'number') this.notes.show(language.words.list.undone(restored));
    else this.#complain(language.words.failure.title, restored);
  }

  #patch(id: string, state: ReaderState): void {
    this.list.patchState(id, state);
    this.reading.patchState(id, state);
  }

  #complain(what: string, failure: Failure): void {
    const { failures, failure: words } = language.words;
    const why = failure.code === 'unreachable' ? words.host : failures[failure.code];
    this.notes.show(`${what} ${why}`, { tone: 'problem' });
  }
}

function marked(state: ReaderState, mark: Mark): ReaderState {
  const now = new Date().toISOString();
  switch (mark) {
    case 'read':
      return { ...state, readAt: state.readAt ?? now };
    case 'unread':
      return { ...state, readAt: null };
    case 'star':
      return { ...state, starredAt: state.starredAt ?? now };
    case 'unstar':
      return { ...state, starredAt: null };
  }
}
