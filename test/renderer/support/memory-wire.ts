import type { Args, MethodName, Reply, Result } from '../../../src-main/contract/methods.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import {
  KNOWN_CATEGORIES,
  type ItemContext,
  type ItemRow,
  type ItemsQuery,
  type ItemAction,
  type Snippet,
  type Counts,
} from '../../../src-main/contract/model/item.ts';
import type { ViewCount } from '../../../src-main/contract/model/search.ts';
import type { SourceLine, SourceSort } from '../../../src-main/contract/model/source.ts';
import { sourceKey, sourceLabel } from '../../../src-main/common/source-label.ts';
import { RESOURCES, type ResourceName } from '../../../src-main/contract/model/resource.ts';
import { NO_DESKTOP, type Capabilities } from '../../../src-main/contract/model/capabilities.ts';
import type { ResourceResult, SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import { MemoryViews, type GroupMethod } from './memory-views.ts';
import { MemoryDesktop, type DesktopMethod } from './memory-desktop.ts';
import { GATEWAY, MemoryModels, type ModelsMethod } from './memory-models.ts';
import { MemoryNotes, type NotesMethod } from './memory-notes.ts';
import { MemorySearch } from './memory-search.ts';
import { MemoryRules, type RulesMethod } from './memory-rules.ts';
import { MemoryVisits, type VisitsMethod } from './memory-visits.ts';

type Bodies = { [M in MethodName]: (args: Args<M>) => Result<M> };

/** A failure that a test sets for a method. */
class Refusal extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

const NOT_FOUND: Failure = { code: 'not_found', message: 'not stored', retryable: false };

/** A core in memory: the contract over an array of rows, newest first. What tests need to happen, they make happen. */
export class MemoryWire implements Wire {
  rows: ItemRow[];
  settings: Settings = { ...DEFAULT_SETTINGS };
  capabilities: Capabilities;
  status: SyncStatus;
  readonly views: MemoryViews;
  readonly desktop = new MemoryDesktop();
  readonly visits = new MemoryVisits();
  readonly search = new MemorySearch(() => this.rows);
  readonly models: MemoryModels;
  readonly notes = new MemoryNotes((event, payload) => this.emit(event, payload));
  readonly rules = new MemoryRules(
    (event, payload) => this.emit(event, payload),
    () => this.#counts(),
  );
  /** Counting the results of a search stops here. */
  readonly mostCounted = 1_000;
  /** The ids of the items that are folded into a row, by its id. */
  readonly folds = new Map<string, string[]>();
  /** Contexts of items, by id. */
  readonly contexts = new Map<string, ItemContext>();
  readonly calls: { method: MethodName; args: unknown }[] = [];
  readonly failing = new Map<MethodName, Failure>();
  /** Set to hold answers back until it is resolved. */
  gate: Promise<void> | null = null;
  /** The same for single methods. */
  readonly gates = new Map<MethodName, Promise<void>>();
  readonly #listeners = new Map<EventName, Set<(payload: never) => void>>();
  readonly #hostListeners = new Set<(answers: boolean) => void>();
  readonly #places = new Map<string, number>();
  #highest = 1_000_000;
  #lowest = 1_000_000;
  readonly #undo = new Map<string, { field: 'readAt' | 'starredAt'; rows: ItemRow[] }>();

  constructor(rows: ItemRow[], now = Date.now()) {
    this.rows = rows;
    this.capabilities = {
      ...NO_DESKTOP,
      version: '0.1.0',
      platform: 'linux',
      locale: 'en-GB',
      opensLinks: true,
    };
    this.status = madeUpStatus(now);
    const refuse = (): never => {
      throw new Refusal(NOT_FOUND);
    };
    this.views = new MemoryViews(now, (event, payload) => this.emit(event, payload), refuse);
    this.models = new MemoryModels((event, payload) => this.emit(event, payload), refuse);
  }

  async call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    this.calls.push({ method, args });
    await (this.gates.get(method) ?? this.gate ?? Promise.resolve());
    const failure = this.failing.get(method);
    if (failure) return { ok: false, error: failure };
    try {
      return { ok: true, value: structuredClone(this.#body(method)(args)) };
    } catch (thrown) {
      if (thrown instanceof Refusal) return { ok: false, error: thrown.failure };
      throw thrown;
    }
  }

  #body<M extends MethodName>(method: M): Bodies[M] {
    const kept = {
      ...this.views.bodies,
      ...this.desktop.bodies,
      ...this.visits.bodies,
      ...this.models.bodies,
      ...this.notes.bodies,
      ...this.rules.bodies,
    };
    const bodies: Bodies = { ...this.#bodies, ...kept };
    return bodies[method];
  }

  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  onHost(listener: (answers: boolean) => void): () => void {
    this.#hostListeners.add(listener);
    return () => this.#hostListeners.delete(listener);
  }

  /** The host ends, or is back. */
  hostAnswers(answers: boolean): void {
    for (const listener of this.#hostListeners) listener(answers);
  }

  emit<E extends EventName>(event: E, payload: Events[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) (listener as (payload: Events[E]) => void)(payload);
  }

  /** Puts rows on top and emits the event, as a round that found something new does. */
  arrive(rows: ItemRow[]): void {
    this.rows = [...rows, ...this.rows];
    this.emit('items.changed', { added: rows.length, revised: 0, withdrawn: 0, ids: [] });
    this.emit('counts.changed', this.#counts());
  }

  revise(id: string, changes: Partial<ItemRow>): void {
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, ...changes } : row));
    this.emit('items.changed', { added: 0, revised: 1, withdrawn: 0, ids: [id] });
  }

  /** The time of an item is put right: it is the newest now, at another place. */
  makeNewest(id: string): void {
    const [newest, ...others] = this.rows.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
    if (newest?.id !== id) throw new Error(`There is no ${id}.`);
    this.#placeOf(newest);
    this.#places.set(id, ++this.#highest);
    this.rows = [newest, ...others];
    this.emit('items.changed', { added: 0, revised: 1, withdrawn: 0, ids: [id] });
  }

  withdraw(id: string): void {
    this.rows = this.rows.filter((row) => row.id !== id);
    this.emit('items.changed', { added: 0, revised: 0, withdrawn: 1, ids: [id] });
  }

  setStatus(changes: Partial<SyncStatus>): void {
    this.status = { ...this.status, ...changes };
    this.emit('sync.changed', this.status);
  }

  readonly #bodies: Omit<
    Bodies,
    GroupMethod | DesktopMethod | VisitsMethod | ModelsMethod | NotesMethod | RulesMethod
  > = {
    'app.capabilities': () => this.capabilities,
    'items.page': ({ query, cursor, limit }) => {
      const rows = this.#matching(query);
      const from = cursor === undefined ? 0 : rows.findIndex((row) => row.id === cursor) + 1;
      const page = rows.slice(from, from + limit);
      const next = from + limit < rows.length ? page.at(-1)!.id : null;
      return { rows: page, places: page.map((row) => this.#placeOf(row)), next, watermark: this.rows.length };
    },
    'items.export': ({ query, cursor, limit }) => {
      const rows = this.#matching(query);
      const from = Number(cursor ?? 0);
      const part = rows.slice(from, from + limit);
      const end = from + part.length;
      return {
        ...{ text: part.map(({ id }) => id).join(' '), count: part.length, left: 0 },
        ...{ updatedAt: part[0]?.effectiveAt ?? null, next: end < rows.length ? String(end) : null },
      };
    },
    'items.exportFrame': ({ format, updatedAt = 'now' }) => ({
      ...{ name: `broadsheet.${format}`, mediaType: 'text/plain' },
      ...{ head: `<${updatedAt}> `, separator: ' ', tail: ' </>' },
    }),
    'items.places': ({ query, below = Infinity, limit }) => {
      const places = this.#matching(query)
        .map((row) => this.#placeOf(row))
        .filter((place) => place < below);
      return { places: places.slice(0, limit), more: places.length > limit };
    },
    'items.rows': ({ query, places, ids = [] }) => {
      const words = wordsOf(query);
      const rows = new Map(this.rows.map((row) => [this.#placeOf(row), row]));
      const byId = new Map(this.rows.map((row) => [row.id, row]));
      return {
        rows: places.map((place, at) => {
          const row = byId.get(ids[at] ?? '') ?? rows.get(place);
          if (row === undefined) return null;
          const folded = query.foldStories ? this.#folding(row)[0] : undefined;
          return folded?.folded ? folded : (found(row, words)[0] ?? { ...row, snippets: [] });
        }),
      };
    },
    'search.find': ({ text, limit, in: kinds }) => {
      const { groups, problems } = this.search.find(text, limit);
      return { groups: groups.filter(({ kind }) => kinds?.includes(kind) ?? true), problems };
    },
    'search.suggest': ({ text, at }) => ({ suggestions: this.search.suggest(text, at) }),
    'items.count': ({ query }) => {
      const { foldStories: _, ...unfolded } = query;
      const count = this.#matching(query).length;
      const folded = this.#matching(unfolded).length - count;
      const isCapped = query.text !== undefined && count > this.mostCounted;
      return isCapped ? { count: this.mostCounted, atLeast: true } : folded > 0 ? { count, folded } : { count };
    },
    'items.get': ({ id }) => {
      const row = this.rows.find((row) => row.id === id);
      if (!row) throw new Refusal(NOT_FOUND);
      const { snippets: _, ...item } = row;
      return item;
    },
    'items.withdrawal': () => ({ withdrawnAt: null }),
    'items.folded': ({ id }) => ({
      rows: this.rows.filter((row) => row.id === id || this.folds.get(id)?.includes(row.id)),
    }),
    'items.context': ({ id }) => {
      const context = this.contexts.get(id) ?? { stories: [], topic: null, sameSource: [] };
      const stories = context.stories.map((story) => ({
        ...story,
        followedAt: this.views.stories.get(story.publicId)?.followedAt ?? story.followedAt,
      }));
      return { ...context, stories };
    },
    'items.mark': ({ ids, mark }) =>
      this.#mark(
        this.rows.filter((row) => ids.includes(row.id)),
        mark,
        ids,
      ),
    'items.markAllRead': ({ query: { foldStories: _, ...query }, watermark, above = -1, below = Infinity }) => {
      const known = new Set(this.rows.slice(this.rows.length - watermark).map((row) => row.id));
      return this.#mark(
        this.#matching(query).filter((row) => {
          const place = this.#placeOf(row);
          return known.has(row.id) && place > above && place < below;
        }),
        'read',
        null,
      );
    },
    'items.undoMark': ({ undo }) => {
      const before = this.#undo.get(undo);
      if (!before) throw new Refusal(NOT_FOUND);
      const { field } = before;
      const states = new Map(before.rows.map((row) => [row.id, row.state[field]]));
      this.rows = this.rows.map((row) =>
        states.has(row.id) ? { ...row, state: { ...row.state, [field]: states.get(row.id) } } : row,
      );
      this.#told(null);
      return { restored: before.rows.length };
    },
    'counts.get': () => this.#counts(),
    'sync.status': () => this.status,
    'sync.run': () => ({
      ok: true,
      resources: reports({ status: 'notModified', requests: 1, added: 0, revised: 0, withdrawn: 0, skipped: 0 }),
      counts: { items: this.rows.length, selected: 0, unread: 0, starred: 0 },
    }),
    'sync.pause': ({ untilMs }) => {
      this.setStatus({ pause: { until: untilMs === null ? null : new Date(untilMs).toISOString() } });
      return this.status;
    },
    'sync.resume': () => {
      this.setStatus({ pause: null });
      return this.status;
    },
    'sync.accept': ({ resource }) => {
      const resources = this.status.resources.map((one) =>
        one.name === resource ? { ...one, confirming: null } : one,
      );
      this.setStatus({ resources });
      return this.status;
    },
    'settings.get': () => this.settings,
    'settings.set': ({ patch }) => {
      this.settings = { ...this.settings, ...patch };
      this.emit('settings.changed', this.settings);
      return this.settings;
    },
    'sources.list': ({ sort, text = '', offset, limit }) => {
      const found = sourcesOf(this.rows, sort).filter(({ name }) => sourceKey(name).includes(sourceKey(text)));
      return { sources: found.slice(offset, offset + limit), count: found.length };
    },
    'sources.get': ({ name }) => {
      const source = sourcesOf(this.rows, 'name').find((one) => sourceKey(one.name) === sourceKey(name));
      if (!source) throw new Refusal(NOT_FOUND);
      const from = (week: number) => new Date(Date.parse(source.newestAt) - (26 - week) * 7 * 86_400_000).toISOString();
      const weeks = Array.from({ length: 26 }, (_, week) => ({
        from: from(week),
        items: week === 25 ? source.items : 0,
      }));
      return { ...source, names: [source.name], weeks };
    },
    'statistics.get': () => ({
      ...{ spans: [], categories: [], sources: [], weeks: [], first: [], stories: 0 },
      rest: { sources: 0, items: [] },
    }),
    'source.test': () => ({ items: 42 }),
    'source.get': () => this.status.source,
    'page.savePdf': () => ({ saved: true }),
    'links.open': () => ({}),
  };

  /** Gives places below all others. */
  placeBelow(rows: readonly ItemRow[]): void {
    for (const { id } of rows) this.#places.set(id, --this.#lowest);
  }

  /** Places descend through the list: what arrives is above everything that was there. */
  #placeOf({ id }: ItemRow): number {
    const place = this.#places.get(id);
    if (place !== undefined) return place;
    for (const row of this.rows.toReversed()) if (!this.#places.has(row.id)) this.#places.set(row.id, ++this.#highest);
    return this.#places.get(id) ?? 0;
  }

  #matching(query: ItemsQuery): ItemRow[] {
    const words = wordsOf(query);
    return this.rows
      .filter((row) => query.scope === 'all' || row.inSelectedSet)
      .filter((row) => query.category === undefined || row.category === query.category)
      .filter((row) => query.source === undefined || sourceKey(row.source.name) === sourceKey(query.source))
      .filter((row) => query.state !== 'unread' || row.state.readAt === null)
      .filter((row) => query.state !== 'starred' || row.state.starredAt !== null)
      .flatMap((row) => (words.length === 0 ? row : found(row, words)))
      .flatMap((row) =>
        query.foldStories && query.state === 'any' && query.source === undefined && words.length === 0
          ? this.#folding(row)
          : row,
      );
  }

  #folding(row: ItemRow): ItemRow[] {
    if ([...this.folds.values()].some((ids) => ids.includes(row.id))) return [];
    const others = this.rows.filter(({ id }) => this.folds.get(row.id)?.includes(id));
    if (others.length === 0) return [row];
    const unread = others.filter(({ state }) => state.readAt === null).length;
    return [{ ...row, folded: { story: 'story-0', title: 'One story', count: others.length, unread } }];
  }

  #mark(rows: ItemRow[], mark: ItemAction, ids: string[] | null): { changed: number; undo: string | null } {
    const at = new Date().toISOString();
    const field = mark === 'read' || mark === 'unread' ? 'readAt' : 'starredAt';
    const value = mark === 'read' || mark === 'star' ? at : null;
    const changing = rows.filter((row) => (row.state[field] === null) !== (value === null));
    const wanted = new Set(changing.map((row) => row.id));
    const undo = changing.length > 0 ? `undo-${this.#undo.size + 1}` : null;
    if (undo !== null) this.#undo.set(undo, { field, rows: changing });
    this.rows = this.rows.map((row) =>
      wanted.has(row.id) ? { ...row, state: { ...row.state, [field]: value } } : row,
    );
    const { ranking } = this.views;
    const marked = new Set(rows.map(({ id }) => id));
    const topics = ranking.topics.map((topic) => (marked.has(topic.id) ? { ...topic, [field]: value } : topic));
    if (field === 'readAt') this.views.ranking = { ...ranking, topics };
    this.#told(ids);
    return { changed: changing.length, undo };
  }

  #told(ids: string[] | null): void {
    this.emit('marks.changed', { ids });
    this.emit('counts.changed', this.#counts());
  }

  #counts(): Counts {
    const of = (rows: ItemRow[]): ViewCount => ({
      total: rows.length,
      unread: rows.filter((row) => row.state.readAt === null).length,
    });
    const selected = this.rows.filter((row) => row.inSelectedSet);
    return {
      selected: of(selected),
      all: of(this.rows),
      starred: of(this.rows.filter((row) => row.state.starredAt !== null)),
      muted: { total: this.rules.hidden, unread: 0 },
      saved: this.rules.searches.map(({ id, count }) => ({ id, ...count })),
      categories: KNOWN_CATEGORIES.map((category) => ({
        category,
        selected: of(selected.filter((row) => row.category === category)),
        all: of(this.rows.filter((row) => row.category === category)),
      })),
    };
  }
}

function sourcesOf(rows: ItemRow[], sort: SourceSort): SourceLine[] {
  const groups = Map.groupBy(rows, (row) => sourceKey(row.source.name));
  const lines = [...groups].flatMap(([key, own]): SourceLine[] => {
    const [newest] = own;
    if (key === '' || !newest) return [];
    return [
      {
        name: sourceLabel(newest.source.name),
        items: own.length,
        unread: own.filter((row) => row.state.readAt === null).length,
        selected: own.filter((row) => row.inSelectedSet).length,
        recent: own.length,
        stories: 3,
        first: 1,
        newestAt: newest.effectiveAt,
      },
    ];
  });
  const amount = { unread: 'unread', frequency: 'recent', selected: 'selected', first: 'first' } as const;
  const byName = (a: SourceLine, b: SourceLine): number => (a.name < b.name ? -1 : 1);
  return sort === 'name' ? lines.sort(byName) : lines.sort((a, b) => b[amount[sort]] - a[amount[sort]] || byName(a, b));
}

function wordsOf({ text = '' }: ItemsQuery): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function found(row: ItemRow, words: string[]): ItemRow[] {
  const fields = { title: row.title, summary: row.summary ?? '', source: row.source.name ?? '' };
  const snippets: Snippet[] = [];
  for (const [field, text] of Object.entries(fields) as [Snippet['field'], string][]) {
    const ranges = words.flatMap((word): [number, number][] => {
      const at = text.toLowerCase().indexOf(word);
      return at < 0 ? [] : [[at, at + word.length]];
    });
    if (ranges.length > 0) snippets.push({ field, text, ranges });
  }
  return snippets.length > 0 ? [{ ...row, snippets }] : [];
}

function madeUpStatus(now: number): SyncStatus {
  const lastSuccessAt = new Date(now - 4 * 60_000).toISOString();
  const resource = {
    running: false,
    progress: null,
    lastTryAt: lastSuccessAt,
    lastSuccessAt,
    nextDueAt: null,
    failures: 0,
    confirming: null,
    error: null,
    rows: 0,
  };
  return {
    source: { address: 'http://127.0.0.1:4000', demo: true, from: 'demo' },
    gateway: GATEWAY.source,
    resources: RESOURCES.map((name) => ({ name, ...resource })),
    selectedComplete: true,
    lastSuccessAt,
    reachable: true,
    pause: null,
    polling: 'usual',
    storageWarnings: [],
  };
}

function reports(report: ResourceResult): Record<ResourceName, ResourceResult> {
  return Object.fromEntries(RESOURCES.map((name) => [name, report])) as Record<ResourceName, ResourceResult>;
}
