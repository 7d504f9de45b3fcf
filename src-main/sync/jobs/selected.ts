import type { Change, ChangesPage, SnapshotPage } from '../../clients/news/schemas.ts';
import { countSkipped, hidesIds } from '../../clients/parsing/records.ts';
import { countOf } from '../../common/numbers.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Item } from '../../contract/model/item.ts';
import type { OpenSnapshot, Transaction } from '../../store/index.ts';
import { lastingDoubt } from './confirmation.ts';
import { wantReasons } from './reasons.ts';
import { hasCode, isOfOneRecord, unexpectedNotModified } from './record-failures.ts';
import {
  isSnapshotDue,
  recordFailedChanges,
  recordReadableChanges,
  recordFailedCheck,
  recordContradictions,
  recordLosses,
  recordUnreadableChanges,
} from './snapshot-checks.ts';
import type { JobResult, SyncContext } from './sync-context.ts';

const SNAPSHOT_PAGE = 1000;
/** Each write changes all of the indexes by time. */
const PAGES_A_WRITE = 5;
const WRITE_EVERY = 250;

/**
 * Mirrors the selected set (document 1 section 1.5; observed-2-snapshot, observed-2-changes): a snapshot, then changes.
 * A 409 `snapshot_required`, unreadable changes and earlier losses lead to another snapshot
 * (docs/decisions/144). The old set stays until its last page is saved.
 */
export async function syncSelected(context: SyncContext): Promise<JobResult> {
  const isFresh = context.store.queries.selectedSet.cursor === null;
  if (isFresh) await takeSnapshot(context);
  const result = await followOrReplace(context, isFresh);
  const isChecked = !isFresh && isSnapshotDue(context);
  if (isChecked) await checkLosses(context);
  return { ...result, modified: isFresh || isChecked || result.modified };
}

/** Ignores unreadable changes, which each sync tries again. */
export async function downloadSelected(context: SyncContext): Promise<void> {
  try {
    await syncSelected(context);
  } catch (error) {
    if (!context.store.queries.selectedSet.complete || !isOfOneRecord(error)) throw error;
  }
}

/** A snapshot misses changes made during its download. */
async function followOrReplace(context: SyncContext, isFresh: boolean): Promise<JobResult> {
  try {
    return await followReadable(context);
  } catch (error) {
    if (isFresh) throw error;
    if (hasCode(error, 'snapshot_required')) {
      context.write((tx) => {
        tx.selectedSet.requireSnapshot();
      });
    } else if (!recordFailedChanges(context, error)) throw error;
  }
  await takeSnapshot(context);
  return { ...(await followReadable(context)), modified: true };
}

async function followReadable(context: SyncContext): Promise<JobResult> {
  const result = await followChanges(context);
  recordReadableChanges(context);
  return result;
}

async function checkLosses(context: SyncContext): Promise<void> {
  try {
    await takeSnapshot(context);
  } catch (error) {
    if (!isOfOneRecord(error) && !(error instanceof ContradictorySnapshot)) throw error;
    recordFailedCheck(context);
    context.recordMissed('another snapshot of the picks', error);
    return;
  }
  await followReadable(context);
}

/** Restarts an incomplete snapshot once if the service no longer accepts its page token. */
async function takeSnapshot(context: SyncContext): Promise<void> {
  const open = context.store.queries.selectedSet.openSnapshot;
  try {
    await pageThrough(context, open);
  } catch (error) {
    if (!hasCode(error, 'snapshot_required') && !hasCode(error, 'invalid_cursor')) throw error;
    if (context.store.queries.selectedSet.openSnapshot === null) throw error;
    context.write((tx) => {
      tx.selectedSet.dropSnapshot();
    });
    await pageThrough(context, null);
  }
}

async function pageThrough(context: SyncContext, open: OpenSnapshot | null): Promise<void> {
  const loader = new SnapshotLoader(context, open);
  const failed = new AbortController();
  const fetched = (token: string | null | undefined): Promise<SnapshotPage> | null => {
    const coming = token === null ? null : snapshotPage(context, token, failed.signal);
    // The loop below handles the failure once the pages before it are saved.
    coming?.catch(() => undefined);
    return coming;
  };
  let coming = fetched(open?.nextPage);
  try {
    while (coming) {
      const page: SnapshotPage = await coming;
      coming = fetched(page.hasMore ? page.nextPage : null);
      // Saving blocks this thread, so the request must be sent first.
      await new Promise((resolve) => setImmediate(resolve));
      loader.take(page);
    }
  } catch (error) {
    failed.abort();
    // Resuming it would end with the same contradiction.
    if (error instanceof ContradictorySnapshot) loader.drop();
    else loader.save();
    throw error;
  }
}

class SnapshotLoader {
  readonly #context: SyncContext;
  readonly #generation: number;
  readonly #before: number;
  #saved: OpenSnapshot | null;
  #received: number;
  #pages: SnapshotPage[] = [];
  readonly #counts: SnapshotCounts;
  #savedAt: number;

  constructor(context: SyncContext, open: OpenSnapshot | null) {
    this.#context = context;
    this.#generation = open?.generation ?? context.store.queries.selectedSet.nextGeneration();
    const { selectedSet, items } = context.store.queries;
    this.#before = open?.before ?? (selectedSet.complete ? items.countStored().selected : 0);
    this.#saved = open;
    this.#received = open?.stored ?? 0;
    this.#counts = new SnapshotCounts(this.#received);
    this.#savedAt = context.now();
  }

  /** Errors: {@link ContradictorySnapshot}, before the set is replaced. */
  take(page: SnapshotPage): void {
    this.#counts.add(page);
    if (!page.hasMore) this.#counts.check();
    this.#pages.push(page);
    this.#received += page.items.length;
    const expected = page.hasMore ? expectedIn(page, this.#context) : this.#received;
    const isDue = this.#pages.length >= PAGES_A_WRITE || Math.abs(this.#context.now() - this.#savedAt) >= WRITE_EVERY;
    if (isDue || !page.hasMore) this.save();
    this.#context.advance(this.#received, expected);
  }

  drop(): void {
    this.#pages = [];
    this.#context.write((tx) => {
      tx.selectedSet.dropSnapshot();
    });
  }

  /** Pages, the next token and the final cursor must be saved in one transaction. */
  save(): void {
    const pages = this.#pages.splice(0);
    const last = pages.at(-1);
    if (last === undefined) return;
    const context = this.#context;
    const generation = this.#generation;
    const cursor = this.#saved?.cursor ?? pages[0]?.cursor ?? last.cursor;
    const savedBefore = this.#saved?.stored ?? 0;
    const items = pages.flatMap((page) => page.items);
    const stored = savedBefore + items.length;
    const hides = this.#saved?.hidesIds === true || pages.some(({ skipped }) => hidesIds(skipped));
    const next =
      last.hasMore && last.nextPage !== null
        ? { generation, cursor, nextPage: last.nextPage, stored, before: this.#before, hidesIds: hides }
        : null;
    const isFirst = !context.store.queries.selectedSet.complete;
    for (const { skipped } of pages) context.recordSkipped(skipped);
    const added = context.write((tx) => {
      if (this.#saved === null && isFirst) tx.listIndexes.drop();
      if (isFirst) tx.readingStart.begin(context.serviceNow);
      tx.items.upsertAll(items, { kind: 'selected', generation });
      // An unreadable record doesn't remove its saved item from the set.
      for (const { id } of pages.flatMap(({ skipped }) => skipped)) if (id) tx.items.keepMember(id, generation);
      if (next) tx.selectedSet.saveSnapshot(next);
      else this.#finish(tx, { isFirst, stored, hides, cursor });
      return tx.summary.added;
    });
    if (isFirst) context.count({ added: items.length - added });
    this.#saved = next;
    this.#savedAt = context.now();
  }

  #finish(
    tx: Transaction,
    { isFirst, stored, hides, cursor }: { isFirst: boolean; stored: number; hides: boolean; cursor: string },
  ): void {
    const context = this.#context;
    const generation = this.#generation;
    const missing = tx.items.countMissing(generation);
    const { queries } = context.store;
    const earlier =
      queries.items.parkedIds('member').length > 0 ? (queries.fetches.get('selected')?.doubt ?? null) : null;
    const size = { stored: this.#before, missing, received: stored };
    const doubt = isFirst ? null : lastingDoubt(size, earlier, context.now(), hides);
    if (doubt) tx.items.parkBefore(generation);
    else tx.items.sweepBefore(generation, context.nowForDeleting);
    recordLosses(context, { newlyMissing: missing, doubt, confirms: doubt === null && !hides }, tx);
    tx.selectedSet.finishSnapshot(generation, cursor);
    tx.fetches.put('selected', { etag: null, doubt });
    tx.listIndexes.createNext();
  }
}

/** The service's count may be that of the page. */
function expectedIn({ count, items, skipped }: SnapshotPage, { store: { queries } }: SyncContext): number | null {
  if (count !== null && count > items.length + countSkipped(skipped)) return count;
  return queries.selectedSet.complete ? queries.items.countStored().selected : null;
}

async function snapshotPage(
  context: SyncContext,
  page: string | undefined,
  signal: AbortSignal,
): Promise<SnapshotPage> {
  const answer = await context.fetch(() => context.news.snapshotPage({ page, limit: SNAPSHOT_PAGE }, { signal }));
  if (answer.kind === 'notModified') throw unexpectedNotModified();
  if (answer.value.hasMore && answer.value.nextPage === page) {
    const message = 'The service returned the same next page again. Try again later.';
    throw new BroadsheetError('invalid_body', message, { retryable: true });
  }
  return answer.value;
}

/** The set may change while its pages are fetched. */
const TOLERANCE = 0.05;

class ContradictorySnapshot extends BroadsheetError {
  constructor(announced: number, received: number) {
    const sizes = `The service announced ${countOf(announced, 'item')} and sent ${received}.`;
    super('invalid_body', `${sizes} Nothing was removed. Try again later.`, { retryable: true });
  }
}

/** Documents don't define whether `count` is that of a page or of the whole set: one must fit (docs/decisions/144). */
class SnapshotCounts {
  readonly #before: number;
  #pages = 0;
  #received = 0;
  #skipped = 0;
  #smallest = Infinity;
  #largest = 0;
  #countsPages = true;

  constructor(before: number) {
    this.#before = before;
  }

  add({ count, items, skipped }: SnapshotPage): void {
    this.#pages += 1;
    this.#received += items.length;
    const unread = countSkipped(skipped);
    this.#skipped += unread;
    if (count === null) return;
    // Not the other way round: a service may not count records that can't be read.
    if (count > items.length + unread) this.#countsPages = false;
    this.#smallest = Math.min(this.#smallest, count);
    this.#largest = Math.max(this.#largest, count);
  }

  check(): void {
    if (this.#countsPages) return;
    const received = this.#before + this.#received;
    const tolerated = this.#pages === 1 && this.#before === 0 ? 0 : this.#largest * TOLERANCE;
    const isOfWhole =
      this.#largest - this.#smallest <= tolerated &&
      received + this.#skipped >= this.#largest - tolerated &&
      received <= this.#largest + tolerated;
    if (!isOfWhole) throw new ContradictorySnapshot(this.#largest, received);
  }
}

const CHANGES_PAGE = 100;
/** Changes in one transaction: about 30 ms. */
const CHANGES_A_WRITE = 1000;

/** Document 1 section 1.5. */
export async function followChanges(context: SyncContext): Promise<JobResult> {
  const { selectedSet, fetches } = context.store.queries;
  const changes = new PendingChanges(context);
  let modified = false;
  let cursor = selectedSet.cursor;
  try {
    for (;;) {
      if (cursor === null) throw unexpectedNotModified();
      const from = cursor;
      const validator = fetches.etag('selected', from);
      const answer = await context.fetch(() =>
        context.news.changes({ cursor: from, limit: CHANGES_PAGE }, { validator }),
      );
      if (answer.kind === 'notModified') return { modified, lifetime: answer.lifetimeMs };
      const page = answer.value;
      changes.take(page, from, answer.validator);
      modified ||= page.changes.length > 0;
      if (!page.hasMore) return { modified, lifetime: answer.lifetimeMs };
      cursor = page.cursor;
    }
  } finally {
    changes.save();
  }
}

/** Groups pages: events and the search index follow each write. */
class PendingChanges {
  readonly #context: SyncContext;
  #changes: Change[] = [];
  #cursor: string | null = null;
  #validator: string | null = null;
  #anyUnreadable = false;

  constructor(context: SyncContext) {
    this.#context = context;
  }

  take(page: ChangesPage, from: string, validator: string | null): void {
    this.#context.recordSkipped(page.skipped);
    this.#anyUnreadable ||= countSkipped(page.skipped) > 0;
    this.#changes.push(...page.changes);
    this.#cursor = page.cursor;
    // The validator is useless once the cursor advances.
    this.#validator = page.cursor === from ? validator : null;
    if (this.#changes.length >= CHANGES_A_WRITE) this.save();
  }

  save(): void {
    const [context, changes, cursor, anyUnreadable] = [this.#context, this.#changes, this.#cursor, this.#anyUnreadable];
    if (cursor === null) return;
    this.#changes = [];
    this.#cursor = null;
    this.#anyUnreadable = false;
    context.write((tx) => {
      if (anyUnreadable) recordUnreadableChanges(context, tx);
      recordContradictions(context, itemsOf(changes), tx);
      const origin = { kind: 'selected', generation: tx.selectedSet.memberGeneration } as const;
      for (const change of lastOfEach(changes)) {
        if (change.op === 'upsert') tx.items.upsert(change.item, origin);
        else tx.items.leave(change.id, context.nowForDeleting);
      }
      wantReasons(context, itemsOf(changes), tx);
      tx.selectedSet.advance(cursor);
      tx.fetches.put('selected', { address: cursor, etag: this.#validator });
    });
  }
}

function itemsOf(changes: readonly Change[]): Item[] {
  return changes.flatMap((change) => (change.op === 'upsert' ? [change.item] : []));
}

/** An item that was removed and restored between two syncs has not changed. */
function lastOfEach(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>();
  for (const change of changes) last.set(change.op === 'upsert' ? change.item.id : change.id, change);
  return [...last.values()];
}
