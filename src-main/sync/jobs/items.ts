import { countOf } from '../../common/numbers.ts';
import type { ItemsAnswer } from '../../clients/news/schemas.ts';
import { z } from 'zod';
import { countHiddenIds } from '../../clients/parsing/records.ts';
import type { ServiceError } from '../../clients/http/service-error.ts';
import type { FirstPage, ItemsWalk, StoredPage } from '../../clients/news/client.ts';
import { toFailure } from '../../contract/errors.ts';
import type { Doubt } from '../../store/index.ts';
import { isCheckDue, lastingDoubt } from './confirmation.ts';
import { ITEMS_REQUEST, lacksTail, listedSince, saveTail, latestNow, type TailPages } from './items-tail.ts';
import { fetchReasons } from './reasons.ts';
import { backoffAfter, isOfOneRecord, isWaiting } from './record-failures.ts';
import type { SyncContext, JobResult } from './sync-context.ts';

const ADDRESS = 'mode=all';
const HIDDEN_IDS = 'items_hidden_ids';
const FIRST_PAGE = 'items_first_page';
const FIRST_PAGE_SHAPE = z.object({
  ids: z.array(z.string()),
  nextCursor: z.string().nullable(),
  hiddenIds: z.int().min(0).exactOptional(),
});
/** Set while a pass through the whole window is incomplete: the next one must not stop at items that this one saved. */
const OPEN_WALK = 'items_walk';
export const WALKED_AT = 'items_walked_at';
/** In the table of fetches: a pass that broke off below the first page. */
const BROKEN_WALK = 'items walk';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Once a day, also for a program that syncs every few hours and not to the minute. */
const RECONCILE_EVERY = 22 * HOUR;
const AFTER_BREAK = MINUTE;
const MAX_AFTER_BREAK = 30 * MINUTE;
const SEARCH_EVERY = 15 * MINUTE;
/** Real windows have 10 to 24 pages. */
const MAX_PAGES = 60;
const ALWAYS_PLAUSIBLE = 10;

/**
 * Fetches recent items (document 1 sections 1.4 and 4.1) until one that is already saved. Whole passes (first, daily,
 * `sync --all`, something missing at the end, departures) show what the service withdrew (docs/decisions/006). If a page
 * below the first one fails, what is above it stays up to date (docs/decisions/188).
 */
export async function syncItems(context: SyncContext): Promise<JobResult> {
  const result = await passThrough(context);
  await tryReasons(context);
  return result;
}

async function passThrough(context: SyncContext): Promise<JobResult> {
  const pass = new ItemsPass(context);
  // A first download starts before the requests for reports.
  if (!pass.isFirst) await pass.begin();
  try {
    const answer = await context.fetch(() => context.news.allItems(ITEMS_REQUEST, pass.options));
    if (answer.kind === 'fresh') pass.end(answer.value.endReason, answer.lifetimeMs);
    return { modified: answer.kind === 'fresh', lifetime: answer.lifetimeMs };
  } catch (error) {
    if (pass.lifetime === null || !isOfOneRecord(error)) throw error;
    pass.breakOff(error);
    return { modified: true, lifetime: pass.lifetime };
  }
}

async function tryReasons(context: SyncContext): Promise<void> {
  try {
    await fetchReasons(context);
  } catch (error) {
    if (!isOfOneRecord(error)) throw error;
    context.recordMissed('the list of reasons', error);
  }
}

class ItemsPass {
  readonly #context: SyncContext;
  readonly #startedAt: number;
  readonly #resuming: boolean;
  #isWhole: boolean;
  readonly isFirst: boolean;
  lifetime: number | null = null;
  readonly #wanted: Map<string, number>;
  /** Saved by this pass, maybe before a restart: no reason to stop. */
  readonly #brought = new Set<string>();
  #pages: StoredPage[] = [];
  readonly #tail: TailPages = new Map();
  readonly #seen = new Set<string>();
  readonly #staysAbove: boolean;
  #stored = 0;
  #isPastAge = false;
  #lastPageWasNew = false;

  constructor(context: SyncContext) {
    this.#context = context;
    this.#startedAt = context.now();
    const { items, mirror, fetches } = context.store.queries;
    const walked = mirror.get(WALKED_AT);
    const age = Math.abs(this.#startedAt - Number(walked));
    this.#staysAbove = context.urgency === 'due' && isWaiting(fetches.state(BROKEN_WALK), this.#startedAt);
    this.#resuming = !this.#staysAbove && mirror.get(OPEN_WALK) !== null;
    this.isFirst = walked === null;
    const isDue = !this.isFirst && (age >= RECONCILE_EVERY || context.urgency === 'all');
    const doubt = fetches.get('items')?.doubt ?? null;
    const isChecked = doubt !== null && isCheckDue({ since: doubt.since, at: Number(walked) }, this.#startedAt);
    this.#isWhole = !this.#staysAbove && (this.#resuming || isDue || isChecked);
    const maySearch = !this.#staysAbove && (context.urgency !== 'due' || age >= SEARCH_EVERY);
    const departures = items.openDepartures().filter(({ id }) => items.parkingOf(id) !== 'listed');
    this.#wanted = new Map(maySearch ? departures.map(({ id, at }) => [id, at]) : []);
  }

  async begin(): Promise<void> {
    if (!this.#isWhole && !this.#staysAbove) this.#isWhole = await lacksTail(this.#context, this.#tail);
  }

  get options() {
    const { fetches, mirror } = this.#context.store.queries;
    const first = mirror.json<StoredPage>(FIRST_PAGE, FIRST_PAGE_SHAPE);
    return {
      validator: first === null ? undefined : fetches.etag('items', ADDRESS),
      unchanged: (lifetime: number) =>
        this.#isWhole || this.#wanted.size > 0 ? this.#passUnchanged(first, lifetime) : null,
      maxPages: this.#isReconciling || this.#wanted.size > 0 ? MAX_PAGES : undefined,
      received: this.#tail,
      isKnown: (id: string) => this.#mayStopAt(id),
      onPage: (page: ItemsAnswer, first: FirstPage | null) => this.#storePage(page, first),
    };
  }

  breakOff(error: ServiceError): void {
    const context = this.#context;
    const failures = (context.store.queries.fetches.state(BROKEN_WALK)?.failures ?? 0) + 1;
    const [requestedAt, failure] = [this.#startedAt, toFailure(error)];
    const dueAt = requestedAt + backoffAfter(failures, AFTER_BREAK, MAX_AFTER_BREAK);
    context.recordMissed(`what the list has below ${countOf(this.#stored, 'item')}`, error);
    context.write(({ fetches }) => fetches.put(BROKEN_WALK, { requestedAt, dueAt, failures, failure }));
  }

  get #isReconciling(): boolean {
    return this.#isWhole && !this.isFirst && !this.#resuming;
  }

  /** `lifetime`: in ms, of the list in a cache. */
  end(endReason: ItemsWalk['endReason'], lifetime: number): void {
    const context = this.#context;
    const isThrough = endReason === 'lastPage';
    const isGivenUp = endReason === 'maxPages' || endReason === 'contradiction';
    const { gone, spared } = isThrough ? this.#missing() : { gone: [], spared: [] };
    const { doubt, parked } = this.#judge(gone);
    const saysAll = isThrough || !this.#staysAbove;
    context.write((tx) => {
      if (saysAll) tx.fetches.forget(BROKEN_WALK);
      if (saysAll && (endReason !== 'maxPages' || !this.#lastPageWasNew)) tx.mirror.set(OPEN_WALK, null);
      if (isThrough || (this.isFirst && saysAll) || isGivenUp) tx.mirror.set(WALKED_AT, String(this.#startedAt));
      if (isThrough) saveTail(this.#pages, context, tx);
      for (const [id, at] of this.#wanted) {
        // A cache may still list what was removed a moment ago.
        if (this.#seen.has(id) && Math.abs(this.#startedAt - at) >= lifetime) tx.items.confirmDeparture(id);
        // A search that was given up proves nothing, so the item stays.
        if (!this.#seen.has(id) && isGivenUp) tx.items.confirmDeparture(id);
      }
      if (!isThrough) return;
      tx.fetches.put('items', { doubt });
      if (!doubt) tx.mirror.set(HIDDEN_IDS, String(this.#hiddenIds));
      for (const id of spared) tx.items.confirmDeparture(id);
      tx.items.parkListed([...parked]);
      for (const id of gone) if (!parked.has(id)) tx.items.withdraw(id);
    });
  }

  #mayStopAt(id: string): boolean {
    const isSearching = [...this.#wanted.keys()].some((wanted) => !this.#seen.has(wanted));
    return !isSearching && !this.#isWhole && this.#isKnown(id);
  }

  /** A new mirror may have items of the previous one, so the first pass knows none. */
  #isKnown(id: string): boolean {
    if (this.#isPastAge) return true;
    return !this.isFirst && !this.#brought.has(id) && this.#context.store.queries.items.isListed(id);
  }

  #passUnchanged(first: StoredPage | null, lifetime: number): StoredPage | null {
    this.lifetime = lifetime;
    if (first !== null) this.#pass(first, true);
    return first;
  }

  #pass(page: StoredPage, isFirst: boolean): void {
    if (isFirst) this.#pages = [];
    this.#pages.push(page);
    for (const id of page.ids) this.#seen.add(id);
  }

  #storePage(page: ItemsAnswer, first: FirstPage | null): void {
    const context = this.#context;
    this.lifetime = first?.lifetimeMs ?? this.lifetime;
    const ids = [...page.items, ...page.skipped].flatMap(({ id }) => id ?? []);
    const stored: StoredPage = { ids, nextCursor: page.nextCursor, hiddenIds: countHiddenIds(page.skipped) };
    this.#pass(stored, first !== null);
    const { items } = context.store.queries;
    const unknown = page.items.filter((item) => !this.#isKnown(item.id));
    const wanted = page.items.filter((item) => !context.isTooOld(item) || items.isSavedOrKept(item.id));
    // Deleted old items are not fetched again. A single old item among newer ones doesn't end the pass.
    this.#isPastAge =
      page.items.length > 0 && page.items.every((item) => context.isPastAge(item) && !wanted.includes(item));
    this.#lastPageWasNew = page.hasMore && unknown.length === page.items.length;
    for (const { id } of unknown) this.#brought.add(id);
    context.recordSkipped(page.skipped);
    context.write((tx) => {
      if (this.isFirst) tx.readingStart.begin(context.serviceNow);
      const accepted = tx.items.upsertAll(wanted, { kind: 'listed' });
      // Must be the transaction of the first page.
      if (first) {
        tx.fetches.put('items', { address: ADDRESS, etag: page.contradicts ? null : first.validator });
        tx.mirror.set(FIRST_PAGE, JSON.stringify(stored));
      }
      // A refused item may be public again: the next response must be a complete one.
      if (!accepted) tx.fetches.put('items', { etag: null });
      if (this.#lastPageWasNew) tx.mirror.set(OPEN_WALK, 'open');
    });
    this.#stored += wanted.length;
    context.advance(this.#stored);
  }

  /** Finds listed items and departures that the whole list lacks; the reader keeps `spared` ones, which may be too old. */
  #missing(): { gone: string[]; spared: string[] } {
    const { items } = this.#context.store.queries;
    const departures = items.openDepartures();
    const left = new Set(departures.map(({ id }) => id));
    const expected = new Set(this.#expected);
    const sought = departures.filter(({ at }) => at <= this.#startedAt || at > this.#startedAt + HOUR);
    const unseen = sought.map(({ id }) => id).filter((id) => !this.#seen.has(id) && !this.#mayBeSelected(id));
    const isSpared = (id: string): boolean => !expected.has(id) && items.isKept(id);
    const absent = [...expected].filter((id) => !this.#seen.has(id) && !left.has(id));
    return { gone: [...unseen.filter((id) => !isSpared(id)), ...absent], spared: unseen.filter(isSpared) };
  }

  /** The list has a member at the time of its group's first report (document 1 section 4.1), maybe before it begins. */
  #mayBeSelected(id: string): boolean {
    return this.#context.store.queries.items.parkingOf(id) === 'left';
  }

  get #expected(): string[] {
    return this.#context.store.queries.items.findListedSince(listedSince(this.#context), latestNow(this.#context));
  }

  get #hiddenIds(): number {
    return this.#pages.reduce((sum, { hiddenIds = 0 }) => sum + hiddenIds, 0);
  }

  /** Parked items count even after they left the window, which moves by time alone (docs/decisions/144). */
  #judge(gone: readonly string[]): { doubt: Doubt | null; parked: ReadonlySet<string> } {
    const { items } = this.#context.store.queries;
    const before = new Set(items.parkedIds('listed').filter((id) => !this.#seen.has(id)));
    const lacking = new Set([...before, ...gone]);
    const doubt = this.#doubtAbout(gone, lacking.size);
    if (doubt && this.#doubtAbout(gone, gone.length)) return { doubt, parked: lacking };
    return doubt && gone.some((id) => before.has(id)) ? { doubt, parked: before } : { doubt: null, parked: new Set() };
  }

  /** Doubts a list that lacks many, or no more than unreadable records may hide. */
  #doubtAbout(gone: readonly string[], missing: number): Doubt | null {
    const { queries } = this.#context.store;
    // A record that was unreadable before anything was missing hides nothing of what is missing now.
    const hides = gone.length <= this.#hiddenIds - Number(queries.mirror.get(HIDDEN_IDS));
    if (missing <= ALWAYS_PLAUSIBLE && !hides) return null;
    const stored = new Set([...this.#expected, ...gone]).size;
    const earlier = queries.fetches.get('items')?.doubt ?? null;
    // The window has moved since: it has other items.
    const size = { stored, missing, received: stored - gone.length };
    return lastingDoubt(size, earlier && { ...earlier, stored }, this.#startedAt, hides);
  }
}
