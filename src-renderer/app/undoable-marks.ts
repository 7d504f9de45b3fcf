import { marksDone } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { Reply } from '../../src-main/contract/methods.ts';
import type { CitationWithStatus, StoredReport } from '../../src-main/contract/model/report.ts';
import type { StoredStory } from '../../src-main/contract/model/story.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { ArchiveContext } from '../features/archive/index.ts';
import type { StoryBackStack } from '../features/stories/index.ts';
import type { Announcer, ToastsState } from '../ui/feedback/toasts.svelte.ts';
import type { ItemsState } from './items.svelte.ts';
import type { Undoable, UndoStack } from './undo.svelte.ts';
import type { ViewsState } from './views.svelte.ts';

interface App {
  readonly wire: Wire;
  readonly views: ViewsState;
  readonly items: ItemsState;
  readonly toasts: ToastsState;
  readonly announcer: Announcer;
  readonly undo: UndoStack;
}

type Marks = ArchiveContext['marks'];
type Change = (to: boolean) => Promise<Reply<unknown>>;

/** Changes the status of reports and stories for the reader. Each change can be undone. */
export class UndoableMarks implements Marks {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  readonly report = (report: StoredReport): void => {
    const read = report.readAt === null;
    this.#make(marksDone[read ? 'read' : 'unread'](), (to) => this.#app.views.archive.mark(report, to), read);
  };

  readonly story = ({ key, readAt }: CitationWithStatus): void => {
    if (key === null) return;
    const read = readAt === null;
    const mark: Change = (to) => this.#app.views.archive.markStories([key], to);
    this.#make(marksDone[read ? 'read' : 'unread'](), mark, read);
  };

  readonly rest = (): void => {
    void this.#app.undo.during(this.#markRest());
  };

  /** Marks a story of a report that the reader has left as read. */
  left({ key }: CitationWithStatus): void {
    if (key === null) return;
    const { undo, views } = this.#app;
    const mark = async (): Promise<void> => {
      if (this.#failed(await views.archive.markStories([key], true))) return;
      this.#push(marksDone.read(), false, () => views.archive.markStories([key], false));
    };
    void undo.during(mark());
  }

  /** Stars the saved item of a story of a report, if there is one. */
  async starItem({ itemId }: CitationWithStatus): Promise<void> {
    const { wire, items, toasts } = this.#app;
    const reply = itemId === null ? null : await wire.call('items.get', { id: itemId });
    if (reply?.ok === true) items.toggleStar(reply.value);
    else toasts.show(m.keys_no_item());
  }

  /** Stars or unstars a story (document 1 section 4.3). */
  starStory(backStack: StoryBackStack, { publicId, starredAt }: StoredStory): void {
    const { wire, views } = this.#app;
    const mark: Change = async (star) => {
      const { story } = backStack;
      if (story?.publicId === publicId && (story.starredAt === null) === star) {
        const failure = await views.stories.toggleStar(backStack);
        return failure ? { ok: false, error: failure } : { ok: true, value: null };
      }
      return wire.call('stories.star', { publicId, star });
    };
    this.#make(marksDone[starredAt === null ? 'star' : 'unstar'](), mark, starredAt === null);
  }

  async #markRest(): Promise<void> {
    const { toasts, undo, views } = this.#app;
    const { archive } = views;
    const keys = archive.unreadKeys;
    if (this.#failed(await archive.markStories(keys, true))) return;
    const what = m.report_marked_read({ count: keys.length });
    const step = this.#push(what, true, () => archive.markStories(keys, false));
    toasts.show(what, { action: { label: m.list_undo(), run: () => void undo.undo(step) } });
  }

  /** Makes a change that is undone by its opposite. */
  #make(what: string, change: Change, to: boolean): void {
    const { announcer, undo } = this.#app;
    const make = async (): Promise<void> => {
      if (this.#failed(await change(to))) return;
      announcer.say(what);
      this.#push(what, false, () => change(!to));
    };
    void undo.during(make());
  }

  #push(what: string, bulk: boolean, reverse: () => Promise<Reply<unknown>>): Undoable {
    const { toasts, undo } = this.#app;
    const takeBack = async (): Promise<boolean> => {
      if (this.#failed(await reverse())) return false;
      toasts.show(m.undo_done({ what }));
      return true;
    };
    const step = { what, bulk, takeBack };
    undo.push(step);
    return step;
  }

  /** Reports a failure. Returns true if there was one. */
  #failed(reply: Reply<unknown>): boolean {
    if (!reply.ok) this.#app.toasts.complain(m.failure_mark_failed(), reply.error);
    return !reply.ok;
  }
}
