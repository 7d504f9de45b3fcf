import { m } from '../../src-main/common/i18n/messages.ts';
import type { ItemRow } from '../../src-main/contract/model/item.ts';
import { reportNoteId, type NoteKey } from '../../src-main/contract/model/note.ts';
import type { CitationStop } from '../features/archive/index.ts';
import type { FeedState } from '../features/feed/index.ts';
import type { NotesState } from '../features/notes/index.ts';
import type { ReadingState } from '../features/reading/index.ts';
import type { RulesState } from '../features/rules/index.ts';
import type { SettingsState } from '../features/settings/index.ts';
import { markdownList, sharedItem } from '../features/share/index.ts';
import { toggleStar } from '../features/topics/index.ts';
import type { LiveAnswers } from '../api/live.ts';
import type { Act, Layout, Links, PageHistory, Toasts } from '../ui/page-context.ts';
import type { ItemsState } from './items.svelte.ts';
import type { UndoStack } from './undo.svelte.ts';
import type { UndoableMarks } from './undoable-marks.ts';
import type { ViewsState } from './views.svelte.ts';

interface App {
  readonly act: Act;
  readonly live: LiveAnswers;
  readonly feed: FeedState;
  readonly history: PageHistory;
  readonly items: ItemsState;
  readonly layout: Layout;
  readonly links: Links;
  readonly marks: UndoableMarks;
  readonly notes: NotesState;
  readonly reading: ReadingState;
  readonly rules: RulesState;
  readonly settings: SettingsState;
  readonly toasts: Toasts;
  readonly undo: UndoStack;
  readonly views: ViewsState;
}

/** Runs the commands of keys, menus and buttons in the current view, on the open item or the selection. */
export class CurrentActions {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  step(by: 1 | -1): void {
    void this.move(by);
  }

  async move(by: 1 | -1): Promise<boolean> {
    const { items, layout, views } = this.#app;
    if (layout.ownWindow) return views.current === 'archive' && views.archive.stops.step(by);
    return views.current === 'feed' ? items.step(by) : views.step(by);
  }

  /** Goes to the next unread story of the open report. Returns false if there is none. */
  nextUnreadStory(): boolean {
    const { marks, settings, views } = this.#app;
    const counts = settings.current.countsAsRead !== 'byHand';
    this.#app.history.confirm(views.current);
    const step = views.current === 'archive' ? views.archive.nextUnread({ reads: counts }) : null;
    if (step?.left?.key) marks.passed([step.left.key]);
    return step !== null;
  }

  toggleRead(): void {
    const { feed, items, marks, reading, views } = this.#app;
    const { current, archive } = views;
    const story = this.#walkedStory;
    const item = reading.itemIn(current);
    const rows = current === 'feed' ? feed.selectedRows : [];
    if (rows.length > 0) {
      void items.markSeveral(rows, rows.some(({ state }) => state.readAt === null) ? 'read' : 'unread');
    } else if (item) items.toggleRead(item);
    else if (story) marks.story(story.citation);
    else if (current === 'archive' && archive.report) marks.report(archive.report);
  }

  toggleStar(): void {
    const { feed, items, marks, reading, views } = this.#app;
    const { current, models } = views;
    const story = this.#walkedStory;
    const item = reading.itemIn(current);
    const rows = current === 'feed' ? feed.selectedRows : [];
    if (rows.length > 0) {
      void items.markSeveral(rows, rows.some(({ state }) => state.starredAt === null) ? 'star' : 'unstar');
    } else if (item) items.toggleStar(item);
    else if (story) void marks.starItem(story.citation);
    else if (current === 'models') void models.toggleFavourite();
    else if (views.story) toggleStar(this.#app, views.story);
  }

  writeNote(): void {
    const { notes, toasts } = this.#app;
    const key = this.#notable;
    if (key) notes.ask(key);
    else toasts.show(m.note_nothing_open());
  }

  copySelected(): Promise<void> {
    const { feed, toasts } = this.#app;
    const rows = feed.selectedRows;
    const copied = m.selection_copied({ count: rows.length });
    return toasts.copy(markdownList(rows.map(sharedItem)), copied, m.copy_failed());
  }

  actionsAt(row: ItemRow, index: number): { label: string; run: () => void }[] {
    const { items, rules } = this.#app;
    return [
      {
        label: row.state.readAt === null ? m.mark_read() : m.mark_unread(),
        run: () => items.toggleRead(row),
      },
      { label: row.state.starredAt === null ? m.star() : m.list_unstar(), run: () => items.toggleStar(row) },
      { label: m.list_mark_above(), run: () => void items.markBeside('above', index) },
      { label: m.list_mark_below(), run: () => void items.markBeside('below', index) },
      ...rules.actionsFor(row),
    ];
  }

  /** Undoes the latest change of a status or bulk action. */
  async takeBack(): Promise<void> {
    const { items, toasts, undo } = this.#app;
    // Rows that were just scrolled past are the latest change.
    void items.savePassed();
    if (!(await undo.undo())) toasts.show(m.undo_nothing());
  }

  openOriginal(): void {
    const { links, views } = this.#app;
    const story = this.#walkedStory;
    if (story) story.open();
    else if (views.openAddress !== null) links.open(views.openAddress);
  }

  get #walkedStory(): CitationStop | null {
    const { reading, views } = this.#app;
    const { archive, current } = views;
    return current === 'archive' && !reading.covers(current) ? archive.stops.current : null;
  }

  get #notable(): NoteKey | null {
    const { reading, views } = this.#app;
    const { current, storyId, archive } = views;
    const item = reading.itemIn(current);
    if (item) return { kind: 'item', id: item.id };
    if (storyId !== null) return views.story && { kind: 'story', id: views.story.publicId };
    if (current === 'notes') return views.notes.open;
    const report = current === 'archive' ? archive.report : null;
    return report && { kind: 'report', id: reportNoteId(report.kind, report.label) };
  }
}
