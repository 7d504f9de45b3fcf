import { counted } from '../../common/numbers.ts';
import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import { z } from 'zod';
import { countHiddenIds } from '../../clients/parsing/records.ts';
import type { ServiceError } from '../../clients/http/service-error.ts';
import type { FirstPage, ItemsWalk, StoredPage } from '../../clients/news/items-walk.ts';
import { isCheckDue, lastingDoubt, saveDoubt, savedDoubt, type Doubt } from './confirmation.ts';
import { ITEMS_REQUEST, lacksTail, listedSince, saveTail, timeThere } from './items-tail.ts';
import { fetchReasons } from './reasons.ts';
import { isOfOneRecord } from './record-failures.ts';
import type { Run, JobResult } from './sync-context.ts';

/** Name under which the validator of this request is saved. */
const ADDRESS = 'mode=all';
/** How many records of the last whole list that was believed had ids that can't be read. */
const HIDDEN_IDS = 'items_hidden_ids';
/** The first page that the validator belongs to: what a pass needs that goes on below it. */
const FIRST_PAGE = 'items_first_page';
const FIRST_PAGE_SHAPE = z.object({
  ids: z.array(z.string()),
  nextCursor: z.string().nullable(),
  hiddenIds: z.int().min(0).exactOptional(),
});
/**
 * Set while a pass through the whole window is incomplete: the next pass must not stop at items that this one saved.
 */
const OPEN_WALK = 'items_walk';
/** When the whole window was last fetched, in ms since 1970. */
export const WALKED_AT = 'items_walked_at';
/** Set while a page below the first one fails: when it last did, and how often in a row. */
const BROKEN_WALK = 'items_walk_broken';
const BROKEN = z.object({ at: z.int().min(0), failures: z.int().min(1) });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Once a day, also for a program that syncs every few hours and not to the minute. */
const RECONCILE_EVERY = 22 * HOUR;
/** Minimum time before the pages below a broken one are tried again: doubled with each failure. */
const AFTER_BREAK = MINUTE;
const LONGEST_AFTER_BREAK = 30 * MINUTE;
/** Minimum time between complete passes of a background sync that look for items that left the selected set. */
const SEARCH_EVERY = 15 * MINUTE;
/** Page limit of a pass that only reconciles. Real windows have 10 to 24 pages. */
const MOST_PAGES = 60;
/** So few absent items are plausible in any list. */
const ALWAYS_PLAUSIBLE = 10;

/**
 * Fetches recent items (document 1 sections 1.4 and 4.1). Usually until an item that is already saved; as a whole the
 * first time, once a day, on `sync --all`, if something is missing at its end, and until the items are found that left the
 * selected set. A whole pass shows what the service withdrew (docs/decisions/031). If a page below the first one fails, what is above it is saved, and stays
 * up to date until the rest is tried again (docs/decisions/033).
 */
export async function syncItems(run: Run): Promise<JobResult> {
  const result = await passThrough(run);
  await tryReasons(run);
  return result;
}

async function passThrough(run: Run): Promise<JobResult> {
  const pass = new ItemsPass(run);
  // A first download has its place in the queue at once, before the requests for reports.
  if (!pass.isFirst) await pass.begin();
  try {
    const answer = await run.fetch(() => run.news.allItems(ITEMS_REQUEST, pass.options));
    if (answer.kind === 'fresh') pass.end(answer.value.endedAt, answer.lifetimeMs);
    return { modified: answer.kind === 'fresh', lifetime: answer.lifetimeMs };
  } catch (error) {
    if (pass.lifetime === null || !isOfOneRecord(error)) throw error;
    pass.breakOff(error);
    return { modified: true, lifetime: pass.lifetime };
  }
}

/** Missing reasons don't hold up the list: they stay wanted. */
async function tryReasons(run: Run): Promise<void> {
  try {
    await fetchReasons(run);
  } catch (error) {
    if (!isOfOneRecord(error)) throw error;
    run.noteMissed('the list of reasons', error);
  }
}

/** Checks that the pages below a broken one are left alone for now. */
function isBroken(broken: z.infer<typeof BROKEN> | null, now: number): boolean {
  if (broken === null) return false;
  return Math.abs(now - broken.at) < Math.min(LONGEST_AFTER_BREAK, AFTER_BREAK * 2 ** (broken.failures - 1));
}

class ItemsPass {
  readonly #run: Run;
  readonly #startedAt: number;
  readonly #resuming: boolean;
  #isWhole: boolean;
  readonly #isFirst: boolean;
  /** Open departures that this pass looks for. */
  readonly #wanted: Map<string, number>;
  /** Items saved by this pass, maybe before a restart: no reason to stop. */
  readonly #brought = new Set<string>();
  /** Everything that the list has, page by page. */
  #pages: StoredPage[] = [];
  readonly #seen = new Set<string>();
  /** It stays above a broken page, until that is tried again. */
  readonly #isHeld: boolean;
  #stored = 0;
  #lifetime: number | null = null;
  #isPastAge = false;
  #lastPageWasNew = false;

  constructor(run: Run) {
    this.#run = run;
    this.#startedAt = run.now();
    const { items, mirror } = run.store.queries;
    const walked = mirror.get(WALKED_AT);
    const age = Math.abs(this.#startedAt - Number(walked));
    this.#isHeld = run.urgency === 'due' && isBroken(mirror.json(BROKEN_WALK, BROKEN), this.#startedAt);
    this.#resuming = !this.#isHeld && mirror.get(OPEN_WALK) !== null;
    this.#isFirst = walked === null;
    const isDue = !this.#isFirst && (age >= RECONCILE_EVERY || run.urgency === 'all');
    const doubt = savedDoubt('items', mirror);
    const isChecked = doubt !== null && isCheckDue({ since: doubt.since, at: Number(walked) }, this.#startedAt);
    this.#isWhole = !this.#isHeld && (this.#resuming || isDue || isChecked);
    const maySearch = !this.#isHeld && (run.urgency !== 'due' || age >= SEARCH_EVERY);
    // Items that the last whole pass lacked with many others wait for the next one.
    const departures = items.openDepartures().filter(({ id }) => items.parkingOf(id) !== 'listed');
    this.#wanted = new Map(maySearch ? departures.map(({ id, at }) => [id, at]) : []);
  }

  /** Decides whether the end of the list asks for a whole pass. */
  async begin(): Promise<void> {
    if (!this.#isWhole && !this.#isHeld) this.#isWhole = await lacksTail(this.#run);
  }

  /** True if the whole window was never fetched. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  get options() {
    const { schedule, mirror } = this.#run.store.queries;
    const first = mirror.json<StoredPage>(FIRST_PAGE, FIRST_PAGE_SHAPE);
    return {
      validator: first === null ? undefined : schedule.validator('items', ADDRESS),
      unchanged: (lifetime: number) =>
        this.#isWhole || this.#wanted.size > 0 ? this.#passUnchanged(first, lifetime) : null,
      maxPages: this.#isReconciling || this.#wanted.size > 0 ? MOST_PAGES : undefined,
      isKnown: (id: string) => this.#mayStopAt(id),
      onPage: (page: ItemsAnswer, first: FirstPage | null) => this.#storePage(page, first),
    };
  }

  /** How long (ms) the first page is valid; null before it is known. */
  get lifetime(): number | null {
    return this.#lifetime;
  }

  /** A page below the first one failed. */
  breakOff(error: ServiceError): void {
    const run = this.#run;
    const failures = (run.store.queries.mirror.json(BROKEN_WALK, BROKEN)?.failures ?? 0) + 1;
    run.noteMissed(`what the list has below ${counted(this.#stored, 'item')}`, error);
    run.write((tx) => tx.mirror.set(BROKEN_WALK, JSON.stringify({ at: this.#startedAt, failures })));
  }

  /** True if nothing new is expected below the first known item. */
  get #isReconciling(): boolean {
    return this.#isWhole && !this.#isFirst && !this.#resuming;
  }

  /** Saves what the pass showed. `lifetime`: for how many ms a cache may have kept the list. */
  end(endedAt: ItemsWalk['endedAt'], lifetime: number): void {
    const run = this.#run;
    const isThrough = endedAt === 'lastPage';
    const isGivenUp = endedAt === 'maxPages' || endedAt === 'contradiction';
    const { gone, spared } = isThrough ? this.#missing() : { gone: [], spared: [] };
    const doubt = this.#doubtAbout(gone);
    const saysAll = isThrough || !this.#isHeld;
    run.write((tx) => {
      if (saysAll) tx.mirror.set(BROKEN_WALK, null);
      // Below a page of new items there may be more: the next pass goes on.
      if (saysAll && (endedAt !== 'maxPages' || !this.#lastPageWasNew)) tx.mirror.set(OPEN_WALK, null);
      if (isThrough || (this.#isFirst && saysAll) || isGivenUp) tx.mirror.set(WALKED_AT, String(this.#startedAt));
      if (isThrough) saveTail(this.#pages, run, tx);
      for (const [id, at] of this.#wanted) {
        // A cache may still list what was removed a moment ago.
        if (this.#seen.has(id) && Math.abs(this.#startedAt - at) >= lifetime) tx.items.confirmDeparture(id);
        // A search that was given up proves nothing, so the item stays.
        if (!this.#seen.has(id) && isGivenUp) tx.items.confirmDeparture(id);
      }
      if (!isThrough) return;
      saveDoubt('items', doubt, tx);
      if (!doubt) tx.mirror.set(HIDDEN_IDS, String(this.#hiddenIds));
      for (const id of spared) tx.items.confirmDeparture(id);
      tx.items.parkListed(doubt ? gone : []);
      if (!doubt) for (const id of gone) tx.items.withdraw(id);
    });
  }

  #mayStopAt(id: string): boolean {
    if (this.#isLookingFor()) return false;
    if (this.#isWhole) return false;
    return this.#isKnown(id);
  }

  /** Returns false for everything in the first pass: a mirror may begin with items of the one before it. */
  #isKnown(id: string): boolean {
    if (this.#isPastAge) return true;
    return !this.#isFirst && !this.#brought.has(id) && this.#run.store.queries.items.isListed(id);
  }

  #isLookingFor(): boolean {
    return [...this.#wanted.keys()].some((id) => !this.#seen.has(id));
  }

  /** The first page is as it was saved: a pass that needs more goes on below it. */
  #passUnchanged(first: StoredPage | null, lifetime: number): StoredPage | null {
    this.#lifetime = lifetime;
    if (first !== null) this.#pass(first, true);
    return first;
  }

  #pass(page: StoredPage, isFirst: boolean): void {
    if (isFirst) this.#pages = [];
    this.#pages.push(page);
    for (const id of page.ids) this.#seen.add(id);
  }

  #storePage(page: ItemsAnswer, first: FirstPage | null): void {
    const run = this.#run;
    this.#lifetime = first?.lifetimeMs ?? this.#lifetime;
    // An unreadable record is no missing one.
    const ids = [...page.items, ...page.skipped].flatMap(({ id }) => id ?? []);
    const stored: StoredPage = { ids, nextCursor: page.nextCursor, hiddenIds: countHiddenIds(page.skipped) };
    this.#pass(stored, first !== null);
    const { items } = run.store.queries;
    const unknown = page.items.filter((item) => !this.#isKnown(item.id));
    const wanted = page.items.filter((item) => !run.isTooOld(item) || items.isSavedOrKept(item.id));
    // Deleted old items are not fetched again. A single old item among newer ones doesn't end the pass.
    this.#isPastAge =
      page.items.length > 0 && page.items.every((item) => run.isPastAge(item) && !wanted.includes(item));
    this.#lastPageWasNew = page.hasMore && unknown.length === page.items.length;
    for (const { id } of unknown) this.#brought.add(id);
    run.noteSkipped(page.skipped);
    run.write((tx) => {
      if (this.#isFirst) tx.readingStart.begin(run.timeThere);
      const accepted = tx.items.upsertAll(wanted, { kind: 'listed' });
      // In the same transaction as the first page.
      if (first) {
        tx.validators.set('items', ADDRESS, page.contradicts ? null : first.validator);
        tx.mirror.set(FIRST_PAGE, JSON.stringify(stored));
      }
      // A refused item may be public again: the next response must be a complete one.
      if (!accepted) tx.validators.clear('items');
      if (this.#lastPageWasNew) tx.mirror.set(OPEN_WALK, 'open');
    });
    this.#stored += wanted.length;
    run.advance(this.#stored);
  }

  /**
   * Returns what the whole list lacks. `gone`: items that it should have, and items that left the selected set. `spared`: those
   * of the latter that the reader keeps and that may just have left the window.
   */
  #missing(): { gone: string[]; spared: string[] } {
    const { items } = this.#run.store.queries;
    const departures = items.openDepartures();
    const left = new Set(departures.map(({ id }) => id));
    const expected = new Set(this.#expected);
    // Those of which this pass could not know are for the next one.
    const sought = departures.filter(({ at }) => at <= this.#startedAt || at > this.#startedAt + HOUR);
    const unseen = sought.map(({ id }) => id).filter((id) => !this.#seen.has(id) && !this.#mayBeSelected(id));
    const isSpared = (id: string): boolean => !expected.has(id) && items.isKept(id);
    const absent = [...expected].filter((id) => !this.#seen.has(id) && !left.has(id));
    return { gone: [...unseen.filter((id) => !isSpared(id)), ...absent], spared: unseen.filter(isSpared) };
  }

  /**
   * True if only one snapshot lacked this member of the selected set. If the set has it, the list has it at the time of its
   * group's first report (document 1 section 4.1), which may be before the list begins.
   */
  #mayBeSelected(id: string): boolean {
    return this.#run.store.queries.items.parkingOf(id) === 'left';
  }

  /** Saved unselected items that the list must have at the end of the pass. */
  get #expected(): string[] {
    return this.#run.store.queries.items.listedSince(listedSince(this.#run), timeThere(this.#run));
  }

  get #hiddenIds(): number {
    return this.#pages.reduce((sum, { hiddenIds = 0 }) => sum + hiddenIds, 0);
  }

  /** If a list lacks much, or no more than unreadable records may hide, these items are parked instead of withdrawn (docs/decisions/144). */
  #doubtAbout(gone: readonly string[]): Doubt | null {
    const { queries } = this.#run.store;
    // A record that was unreadable before anything was missing hides nothing of what is missing now.
    const hides = gone.length <= this.#hiddenIds - Number(queries.mirror.get(HIDDEN_IDS));
    if (gone.length <= ALWAYS_PLAUSIBLE && !hides) return null;
    const stored = new Set([...this.#expected, ...gone]).size;
    const size = { stored, missing: gone.length, received: stored - gone.length };
    const earlier = savedDoubt('items', queries.mirror);
    // The window has moved since: it has other items.
    return lastingDoubt(size, earlier && { ...earlier, stored }, this.#startedAt, hides);
  }
}
