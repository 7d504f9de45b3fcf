import type { ResourceName } from '../../src-main/contract/model/resource.ts';
import type { StoredStory } from '../../src-main/contract/model/story.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { LiveAnswers } from '../api/live.ts';
import { ReportWalk } from '../features/archive/index.ts';
import { HotTopicsState, StoriesState, storyIn } from '../features/topics/index.ts';
import { NoteListState } from '../features/notes/index.ts';
import type { ReadingState } from '../features/reading/index.ts';
import type { SearchListState } from '../features/search/index.ts';
import { SourcesState } from '../features/sources/index.ts';
import type { TodayState } from '../features/today/index.ts';
import type { ModelsState } from '../features/models/index.ts';
import type { ViewName } from '../../src-main/contract/location.ts';
import type { History } from './history.svelte.ts';

export const VIEWS = ['today', 'hotTopics', 'stories', 'archive', 'models', 'sources', 'notes', 'search'] as const;

/** The resource of each view; the models have one of two. Reports come out at fixed hours, so they need none. */
const ATTENDED: Record<Exclude<ViewName, 'models'>, ResourceName | null> = {
  feed: 'items',
  today: 'items',
  hotTopics: 'hotTopics',
  stories: 'stories',
  archive: null,
  notes: null,
  search: null,
  sources: 'items',
};
const AGAIN_MS = 5 * 60_000;

interface Parts {
  live: LiveAnswers;
  today: TodayState;
  models: ModelsState;
  search: SearchListState;
  reading: ReadingState;
  history: History;
  /** Called when the reader opens an item among the notes. */
  onnoted: (id: string) => void;
}

/** The current view and the state of all views beside the feed, which they keep while another is shown. */
export class ViewsState {
  readonly #wire: Wire;
  readonly #live: LiveAnswers;
  readonly #reading: ReadingState;
  readonly today: TodayState;
  readonly hotTopics: HotTopicsState;
  readonly stories: StoriesState;
  readonly archive: ReportWalk;
  readonly models: ModelsState;
  readonly notes: NoteListState;
  readonly sources: SourcesState;
  readonly search: SearchListState;
  #ready = Promise.resolve();
  readonly #history: History;
  #visited = $state.raw<readonly (typeof VIEWS)[number][]>([]);
  #isVisible = false;
  #attended: { to: ResourceName | null; at: number } = { to: null, at: -Infinity };

  constructor(wire: Wire, { live, today, models, search, reading, history, onnoted }: Parts) {
    this.#wire = wire;
    this.#live = live;
    this.#history = history;
    this.#reading = reading;
    this.notes = new NoteListState(live, history, onnoted);
    this.today = today;
    this.hotTopics = new HotTopicsState(live, history);
    this.stories = new StoriesState(live, history, this.hotTopics);
    this.archive = new ReportWalk(wire, live, history);
    this.models = models;
    this.search = search;
    this.sources = new SourcesState(live, history);
  }

  get current(): ViewName {
    return this.#history.view;
  }
  /** The views that were shown since the start: they stay in the page, so that they keep their scroll position. */
  get visited(): readonly (typeof VIEWS)[number][] {
    return this.#visited;
  }
  get storyId(): string | null {
    return this.current === 'hotTopics' ? this.hotTopics.storyId : storyIn(this.#history.location);
  }
  get story(): StoredStory | null {
    const publicId = this.storyId;
    if (publicId === null) return null;
    const [saved, opened] = [this.#live.get('stories.get', { publicId }), this.#live.get('stories.open', { publicId })];
    return saved.value ?? opened.value;
  }

  /** Loads what a view that is about to be shown needs. */
  enter(view: ViewName): void {
    if (view === 'feed') return;
    if (!this.#visited.includes(view)) this.#visited = [...this.#visited, view];
    this.#ready = this.#load(view);
  }

  async #load(view: (typeof VIEWS)[number]): Promise<void> {
    if (view === 'hotTopics') await this.hotTopics.ranking.ready();
    else if (view === 'stories') await this.stories.list.ready();
    else if (view === 'sources') await this.sources.ready();
    else if (view === 'notes') await this.notes.first.ready();
    else if (view === 'search') await this.search.answers.settled();
    else await this[view].load();
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Loads the views for another service. Their lists are read again by themselves, except those that failed. */
  reload(): void {
    for (const view of this.#visited) void this.#load(view);
  }

  /**
   * Reports the visible resource to the core, which then polls it more often. The core forgets it after a while, so it
   * is repeated. `now` is ms since 1970.
   */
  attend(visible: boolean, now: number): void {
    if (visible && !this.#isVisible) this.today.arrive();
    this.#isVisible = visible;
    const to = visible ? this.#attendedNow : null;
    const isNews = to !== this.#attended.to || (to !== null && now - this.#attended.at >= AGAIN_MS);
    if (!isNews) return;
    this.#attended = { to, at: now };
    void this.#wire.call('sync.attend', { to });
  }

  get #attendedNow(): ResourceName | null {
    return this.current === 'models' ? this.models.modelList : ATTENDED[this.current];
  }

  reads(view: (typeof VIEWS)[number]): boolean {
    switch (view) {
      case 'hotTopics':
        return this.hotTopics.topic !== null;
      case 'stories':
        return this.stories.id !== null || this.stories.topic !== null;
      case 'archive':
        return this.archive.open !== null;
      case 'models':
        return this.models.open !== null || this.models.comparing;
      case 'notes':
        return this.notes.open !== null;
      case 'search':
        return this.search.open !== null;
      case 'today':
      case 'sources':
        return false;
    }
  }

  /** Goes back by one step. Returns false if only the list is left. */
  back(): boolean {
    const view = this.current;
    if (this.#reading.covers(view)) void this.#reading.uncover();
    else if (view === 'models') this.models.back();
    else this.#history.close();
    return view === 'feed' || !this.reads(view);
  }

  /**
   * Opens the next (1) or previous (-1) entry of the current view; while a report is open, goes to its next or previous
   * story. Returns false if there was none.
   */
  step(by: 1 | -1): boolean {
    const view = this.current;
    if (view === 'feed') return false;
    if (view === 'archive' && this.archive.open !== null) {
      this.#history.confirm(view);
      return this.archive.stops.step(by);
    }
    return this[view].step(by);
  }

  /** As {@link step}, to the next entry that is unread or has news. */
  stepUnread(): boolean {
    switch (this.current) {
      case 'today':
        return this.today.stepUnread();
      case 'hotTopics':
        return this.hotTopics.stepUnread();
      case 'stories':
        return this.stories.stepUnread();
      case 'search':
        return this.search.stepUnread();
      default:
        return false;
    }
  }

  /** The address of the open article's original if there is one, else of its page at the service. */
  get openAddress(): string | null {
    const item = this.#reading.itemIn(this.current);
    if (item) return item.links.original ?? item.links.aihot;
    const topic = this.current === 'hotTopics' ? this.hotTopics.shown : null;
    if (topic) return topic.links.original ?? topic.links.aihot;
    if (this.storyId !== null) return this.story?.links.aihot ?? null;
    return (this.current === 'archive' && this.archive.report?.links.aihot) || null;
  }
}
