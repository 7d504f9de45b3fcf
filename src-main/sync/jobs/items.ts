import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import type { ItemsWalk } from '../../clients/news/items-walk.ts';
import { doubtAbout, doubtOf, isConfirmationDue, saveDoubt } from './confirmation.ts';
import { fetchReasons } from './reasons.ts';
import { isOfOneRecord } from './record-failures.ts';
import type { Run, JobResult } from './sync-context.ts';

/** Name under which the validator of this request is saved. */
const REQUEST = { mode: 'all', limit: 100 } as const;
const ADDRESS = 'mode=all';
/**
 * Set while a pass through the whole window is incomplete: the next pass must not stop at items that this one saved.
 */
const OPEN_WALK = 'items_walk';
/** When the whole window was last fetched, in ms since 1970. */
const WALKED_AT = 'items_walked_at';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RECONCILE_EVERY = DAY;
/** Minimum time between complete passes of a background sync that look for items that left the selected set. */
const SEARCH_EVERY = 15 * MINUTE;
/** The list's window is seven days. Near its end, absence says nothing: an item may just have fallen out. */
const CERTAIN_WINDOW = 6 * DAY;
/** Page limit of a pass that only reconciles. Real windows have 10 to 24 pages. */
const MOST_PAGES = 60;
/** So few absent items are plausible in any list. */
const ALWAYS_PLAUSIBLE = 10;

/**
 * Fetches recent items (document 1 sections 1.4 and 4.1). Usually until an item that is already saved; as a whole the
 * first time, once a day, on `sync --all`, and until the items are found that left the selected set. A whole pass shows
 * what the service withdrew (docs/decisions/031).
 */
export async function syncItems(run: Run): Promise<JobResult> {
  const pass = new ItemsPass(run);
  const answer = await run.fetch(() => run.news.allItems(REQUEST, pass.options));
  if (answer.kind === 'notModified') {
    await tryReasons(run);
    return { modified: false, lifetime: answer.lifetimeMs };
  }
  pass.end(answer.value.endedAt, answer.lifetimeMs);
  await tryReasons(run);
  return { modified: true, lifetime: answer.lifetimeMs };
}

/** Missing reasons don't hold up the list: they stay wanted. */
async function tryReasons(run: Run): Promise<void> {
  try {
    await fetchReasons(run);
  } catch (error) {
    if (!isOfOneRecord(error)) throw error;
    run.noteSkipped([{ reason: error.message }]);
  }
}

class ItemsPass {
  readonly #run: Run;
  readonly #startedAt: number;
  readonly #resuming: boolean;
  readonly #isWhole: boolean;
  readonly #isFirst: boolean;
  /** Open departures that this pass looks for. */
  readonly #wanted: Map<string, number>;
  /** Items saved by this pass, maybe before a restart: no reason to stop. */
  readonly #brought = new Set<string>();
  /** Everything that the list has. */
  readonly #seen = new Set<string>();
  #stored = 0;
  #isPastAge = false;
  #lastPageWasNew = false;

  constructor(run: Run) {
    this.#run = run;
    this.#startedAt = run.now();
    const { items, mirror } = run.store.queries;
    const walked = mirror.get(WALKED_AT);
    const age = Math.abs(this.#startedAt - Number(walked));
    this.#resuming = mirror.get(OPEN_WALK) !== null;
    this.#isFirst = walked === null;
    const isDue = !this.#isFirst && (age >= RECONCILE_EVERY || run.urgency === 'all');
    this.#isWhole = this.#resuming || isDue || isConfirmationDue(doubtOf('items', run.store.queries), this.#startedAt);
    const maySearch = run.urgency !== 'due' || age >= SEARCH_EVERY;
    this.#wanted = new Map(maySearch ? items.openDepartures().map(({ id, at }) => [id, at]) : []);
  }

  get options() {
    const { schedule } = this.#run.store.queries;
    const isComplete = this.#isWhole || this.#wanted.size > 0;
    return {
      validator: isComplete ? undefined : schedule.validator('items', ADDRESS),
      maxPages: this.#isReconciling || this.#wanted.size > 0 ? MOST_PAGES : undefined,
      isKnown: (id: string) => this.#mayStopAt(id),
      onPage: (page: ItemsAnswer, first: { validator: string | null } | null) => this.#storePage(page, first),
    };
  }

  /** Whether nothing new is expected below the first known item. */
  get #isReconciling(): boolean {
    return this.#isWhole && !this.#isFirst && !this.#resuming;
  }

  /** Saves what the pass showed. `lifetime`: for how many ms a cache may have kept the list. */
  end(endedAt: ItemsWalk['endedAt'], lifetime: number): void {
    const run = this.#run;
    const isThrough = endedAt === 'lastPage';
    const isGivenUp = endedAt === 'maxPages' || endedAt === 'contradiction';
    const absent = isThrough ? this.#absent() : [];
    const { items } = run.store.queries;
    const left = isThrough
      ? items.openDepartures().filter(({ at }) => at <= this.#startedAt || at > this.#startedAt + HOUR)
      : [];
    const judged = this.#judge(absent);
    run.write((tx) => {
      // Below a page of new items there may be more: the next pass goes on.
      if (endedAt !== 'maxPages' || !this.#lastPageWasNew) tx.mirror.set(OPEN_WALK, null);
      if (isThrough || this.#isFirst || isGivenUp) tx.mirror.set(WALKED_AT, String(this.#startedAt));
      for (const [id, at] of this.#wanted) {
        // A cache may still list what was removed a moment ago.
        if (this.#seen.has(id) && Math.abs(this.#startedAt - at) >= lifetime) tx.items.confirmDeparture(id);
        // A search that was given up proves nothing, so the item stays.
        if (!this.#seen.has(id) && isGivenUp) tx.items.confirmDeparture(id);
      }
      if (!isThrough) return;
      saveDoubt('items', judged, tx);
      if (judged) return;
      for (const { id } of left) if (!this.#seen.has(id)) tx.items.withdraw(id);
      for (const id of absent) tx.items.withdraw(id);
    });
  }

  #mayStopAt(id: string): boolean {
    if (this.#isLookingFor()) return false;
    if (this.#isWhole) return false;
    return this.#isPastAge || (!this.#brought.has(id) && this.#run.store.queries.items.isListed(id));
  }

  #isLookingFor(): boolean {
    return [...this.#wanted.keys()].some((id) => !this.#seen.has(id));
  }

  #storePage(page: ItemsAnswer, first: { validator: string | null } | null): void {
    const run = this.#run;
    const { items } = run.store.queries;
    const isKnown = (id: string): boolean => this.#isPastAge || (!this.#brought.has(id) && items.isListed(id));
    const unknown = page.items.filter((item) => !isKnown(item.id));
    const wanted = page.items.filter((item) => !run.isTooOld(item) || items.isSavedOrStarred(item.id));
    // Deleted old items are not fetched again. A single old item among newer ones doesn't end the pass.
    this.#isPastAge =
      page.items.length > 0 && page.items.every((item) => run.isPastAge(item) && !wanted.includes(item));
    this.#lastPageWasNew = page.hasMore && unknown.length === page.items.length;
    for (const { id } of unknown) this.#brought.add(id);
    for (const { id } of page.items) this.#seen.add(id);
    for (const { id } of page.skipped) if (id) this.#seen.add(id);
    run.noteSkipped(page.skipped);
    run.write((tx) => {
      if (this.#isFirst) tx.readingStart.begin(run.timeThere);
      const accepted = tx.items.upsertAll(wanted, { kind: 'listed' });
      // In the same transaction as the first page: a withdrawal before the end of the pass invalidates it.
      if (first) tx.validators.set('items', ADDRESS, first.validator);
      // A refused item may be public again: the next response must be a complete one.
      if (!accepted) tx.validators.clear('items');
      if (this.#lastPageWasNew) tx.mirror.set(OPEN_WALK, 'open');
    });
    this.#stored += wanted.length;
    run.advance(this.#stored);
  }

  /** Saved items that the list should have, as unselected ones well inside its window, and hasn't. */
  #absent(): string[] {
    const { items } = this.#run.store.queries;
    const now = this.#timeThere;
    const left = new Set(items.openDepartures().map(({ id }) => id));
    return items.listedSince(now - CERTAIN_WINDOW, now).filter((id) => !this.#seen.has(id) && !left.has(id));
  }

  /** The later of both clocks: by one that is behind, items that fell out of the window would look withdrawn. */
  get #timeThere(): number {
    return Math.max(this.#startedAt, this.#run.timeThere);
  }

  #judge(absent: readonly string[]) {
    if (absent.length <= ALWAYS_PLAUSIBLE) return null;
    const { queries } = this.#run.store;
    const stored = queries.items.listedSince(this.#timeThere - CERTAIN_WINDOW, this.#timeThere).length;
    const size = { stored, missing: absent.length, received: stored - absent.length };
    return doubtAbout(size, doubtOf('items', queries), this.#startedAt);
  }
}
