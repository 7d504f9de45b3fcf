import type { Emit, Events } from '../../contract/events.ts';
import { toFailure } from '../../contract/errors.ts';
import { noteOfHit, reportOfNote } from '../../contract/model/note.ts';
import { MODEL_LISTS } from '../../contract/model/resource.ts';
import type { SyncResult } from '../../contract/model/sync-status.ts';
import type { SinceLastVisit } from '../../contract/model/today.ts';
import { isKind, type Kind } from '../../contract/records.ts';
import type { Changed } from '../../store/index.ts';
import { Indexing } from './indexing.ts';
import type { Network } from './network.ts';
import { Signal } from './activity.ts';
import type { EngineBase } from './types.ts';

/** Reloading the list is cheaper than more ids. */
const MAX_IDS = 200;

export type FollowUps = ReturnType<typeof createFollowUps>;

export function createFollowUps(base: EngineBase, { gateway }: Network) {
  const { store, emit, clock } = base;
  const visits = new Visits(base);
  const damage = new Signal();
  const emitCounts = (): void => emit('counts.changed', store.queries.items.counts(clock.now()));

  /** The counts go first, so that they are there when everything is matched. */
  function rulesMatched(): void {
    emitCounts();
    emit('rules.changed', { progress: store.queries.rules.progress() });
    visits.afterWrite();
  }

  const indexing = createIndexing(base, { owner: gateway.owner ?? '', onRules: rulesMatched, onDamage: damage.fire });

  function rulesChanged(): void {
    rulesMatched();
    void indexing.catchUp();
  }

  const namesChanged = (): void => indexing.namesChanged(gateway.owner ?? '');

  function announceStatuses(ids: string[]): void {
    emit('marks.changed', { ids: fewIds(ids) });
    emitCounts();
  }

  const emitAndReindex: Emit = (event, payload) => {
    emit(event, payload);
    if (event === 'models.changed' || event === 'data.replaced') namesChanged();
  };

  function announceArrived(changed: readonly Changed[]): void {
    const idsOf = (...kinds: Kind[]): string[] =>
      changed.flatMap(({ kind, ids }) => (isKind(kind) && kinds.includes(kind) ? ids : []));
    const [items, stories] = [idsOf('read', 'star'), idsOf('follow', 'story')];
    if (items.length > 0) announceStatuses(items);
    if (stories.length > 0) emit('stories.changed', { publicIds: [...new Set(stories)] });
    const reports = idsOf('report').flatMap((id) => reportOfNote(id) ?? []);
    for (const [kind, list] of Map.groupBy(reports, (report) => report.kind)) {
      emit('reports.changed', { kind, labels: list.map(({ label }) => label) });
    }
    for (const id of idsOf('note')) {
      const key = noteOfHit(id);
      if (key) emit('notes.changed', { ...key, noted: store.queries.records.get('note', id) !== null });
    }
    if (idsOf('saved', 'mute').length > 0) rulesChanged();
    if (idsOf('favourite').length > 0) emit('models.changed', { modelLists: [...MODEL_LISTS] });
  }

  return {
    visits,
    indexing,
    /** Fires when other work than a check meets damage, which is repaired when the files are opened again. */
    damage,
    announceStatuses,
    rulesChanged,
    namesChanged,
    emitAndReindex,
    announceArrived,
    itemsChanged: ({ ids, added, revised, withdrawn }: Events['items.changed']): void => {
      void indexing.catchUp();
      emit('items.changed', { added, revised, withdrawn, ids: ids && fewIds(ids) });
      visits.afterWrite();
      emitCounts();
    },
  };
}

function createIndexing(
  { store, emit, log, activity, startIndexer }: EngineBase,
  ports: { owner: string; onRules: () => void; onDamage: () => void },
): Indexing {
  return new Indexing(store, {
    ...ports,
    log,
    isLoading: () => activity.running.has('selected') && !store.queries.selectedSet.complete,
    ...(startIndexer && { startIndexer }),
    onMentions: (ids) => emit('items.changed', { added: 0, revised: 0, withdrawn: 0, ids: fewIds(ids) }),
  });
}

function fewIds(ids: string[]): string[] | null {
  return ids.length > MAX_IDS ? null : ids;
}

export class Visits {
  readonly #ports: EngineBase;
  #walked = false;

  constructor(ports: EngineBase) {
    this.#ports = ports;
  }

  end(): SinceLastVisit {
    if (this.#hasBegun) this.#endVisit();
    return this.#publish();
  }

  begin(fresh?: boolean): Record<string, never> {
    const isNews = this.#ports.store.transaction(({ presence, now }) => presence.arrive(now, fresh));
    if (isNews) this.#publish();
    return {};
  }

  afterWrite(): void {
    if (this.#hasBegun) this.#publish();
  }

  /** Nothing in the first snapshot and the first pass through all items counts as new. */
  afterRound({ items }: SyncResult['resources']): void {
    const { store, log } = this.#ports;
    this.#walked ||= items.status === 'ok' || items.status === 'notModified';
    if (!this.#walked || !store.queries.selectedSet.complete || this.#hasBegun) return;
    try {
      this.#endVisit();
      this.#publish();
    } catch (error) {
      const { code, message } = toFailure(error);
      log('warn', message, { code });
    }
  }

  get #hasBegun(): boolean {
    return this.#ports.store.queries.visits.last() !== null;
  }

  #endVisit(): void {
    this.#ports.store.transaction(({ visits, now }) => {
      visits.end(now);
    });
  }

  #publish(): SinceLastVisit {
    const summary = this.#ports.store.queries.visits.sinceLast();
    this.#ports.emit('visits.changed', summary);
    return summary;
  }
}
