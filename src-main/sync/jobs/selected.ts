import { BroadsheetError } from '../../contract/errors.ts';
import type { SnapshotPage } from '../../clients/news/schemas.ts';
import { countSkipped, hidesIds } from '../../clients/parsing/records.ts';
import type { OpenSnapshot } from '../../store/index.ts';
import { followChanges, neverAsked } from './changes.ts';
import { lastingDoubt, saveDoubt, savedDoubt } from './confirmation.ts';
import { isOfOneRecord } from './record-failures.ts';
import { isSnapshotDue, noteChangesFailed, noteChangesWork, noteCheckFailed, noteLosses } from './snapshot-checks.ts';
import { ContradictorySnapshot, SnapshotCounts } from './snapshot-counts.ts';
import type { Run, JobResult } from './sync-context.ts';

const SNAPSHOT_PAGE = 1000;
/** Pages that are saved together at most: indexes in order of time are written all over by each write. */
const PAGES_A_WRITE = 5;
/** In ms: once this time has passed since the last write, a page is saved at once. */
const WRITE_EVERY = 250;

/**
 * Mirrors the selected set (document 1 section 1.5; observed-2-snapshot, observed-2-changes): one snapshot, then changes
 * only. Another snapshot is taken after a 409 `snapshot_required`, in place of changes that can't be read
 * (docs/decisions/145), and to check what an earlier one lacked (docs/decisions/144). The old set stays until its last page
 * is saved.
 */
export async function syncSelected(run: Run): Promise<JobResult> {
  const isFresh = run.store.queries.selectedSet.cursor === null;
  if (isFresh) await takeSnapshot(run);
  const result = await followOrReplace(run, isFresh);
  const isChecked = !isFresh && isSnapshotDue(run);
  if (isChecked) await checkLosses(run);
  return { ...result, modified: isFresh || isChecked || result.modified };
}

/**
 * Downloads the selected set as a whole. Changes that can't be read leave it complete: each sync tries them again.
 */
export async function downloadSelected(run: Run): Promise<void> {
  try {
    await syncSelected(run);
  } catch (error) {
    if (!run.store.queries.selectedSet.complete || !isOfOneRecord(error)) throw error;
  }
}

/** Follows the changes, also after a snapshot: some were made while its pages were fetched. */
async function followOrReplace(run: Run, isFresh: boolean): Promise<JobResult> {
  try {
    return await followReadable(run);
  } catch (error) {
    if (isFresh) throw error;
    if (isCode(error, 'snapshot_required')) {
      run.write((tx) => {
        tx.selectedSet.requireSnapshot();
      });
    } else if (!noteChangesFailed(run, error)) throw error;
  }
  await takeSnapshot(run);
  return { ...(await followReadable(run)), modified: true };
}

async function followReadable(run: Run): Promise<JobResult> {
  const result = await followChanges(run);
  noteChangesWork(run);
  return result;
}

/** A failure of this snapshot doesn't stop the changes: it is taken again later. */
async function checkLosses(run: Run): Promise<void> {
  try {
    await takeSnapshot(run);
  } catch (error) {
    if (!isOfOneRecord(error) && !(error instanceof ContradictorySnapshot)) throw error;
    noteCheckFailed(run);
    run.noteMissed('another snapshot of the selected set', error);
    return;
  }
  await followReadable(run);
}

/** Resumes an incomplete snapshot. Restarts it once if the service no longer accepts the page token. */
async function takeSnapshot(run: Run): Promise<void> {
  const open = run.store.queries.selectedSet.openSnapshot;
  try {
    await pageThrough(run, open);
  } catch (error) {
    if (!isCode(error, 'snapshot_required') && !isCode(error, 'invalid_cursor')) throw error;
    if (run.store.queries.selectedSet.openSnapshot === null) throw error;
    run.write((tx) => {
      tx.selectedSet.dropSnapshot();
    });
    await pageThrough(run, null);
  }
}

/** Fetches the next page while one is saved. Fast pages are saved several at a time, a slow one at once. */
async function pageThrough(run: Run, open: OpenSnapshot | null): Promise<void> {
  const loader = new SnapshotLoader(run, open);
  const failed = new AbortController();
  const fetched = (token: string | null | undefined): Promise<SnapshotPage> | null => {
    const coming = token === null ? null : snapshotPage(run, token, failed.signal);
    // Its failure counts once the pages before it are saved.
    coming?.catch(() => undefined);
    return coming;
  };
  let coming = fetched(open?.nextPage);
  try {
    while (coming) {
      const page: SnapshotPage = await coming;
      coming = fetched(page.hasMore ? page.nextPage : null);
      // Sends the request: saving blocks this thread.
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

/** Saves the pages of a snapshot. */
class SnapshotLoader {
  readonly #run: Run;
  readonly #generation: number;
  /** The number of members before the snapshot. */
  readonly #before: number;
  #saved: OpenSnapshot | null;
  /** The number of items received so far. */
  #received: number;
  #pages: SnapshotPage[] = [];
  readonly #counts: SnapshotCounts;
  #savedAt: number;

  /** @param open the snapshot to continue */
  constructor(run: Run, open: OpenSnapshot | null) {
    this.#run = run;
    this.#generation = open?.generation ?? run.store.queries.selectedSet.nextGeneration();
    const { selectedSet, items } = run.store.queries;
    this.#before = open?.before ?? (selectedSet.complete ? items.stored().selected : 0);
    this.#saved = open;
    this.#received = open?.stored ?? 0;
    this.#counts = new SnapshotCounts(this.#received);
    this.#savedAt = run.now();
  }

  /** Errors: {@link ContradictorySnapshot}, before the set is replaced. */
  take(page: SnapshotPage): void {
    this.#counts.add(page);
    if (!page.hasMore) this.#counts.check();
    this.#pages.push(page);
    this.#received += page.items.length;
    // Before the write, which may complete the set.
    const expected = page.hasMore ? expectedIn(page, this.#run) : this.#received;
    const isDue = this.#pages.length >= PAGES_A_WRITE || Math.abs(this.#run.now() - this.#savedAt) >= WRITE_EVERY;
    if (isDue || !page.hasMore) this.save();
    this.#run.advance(this.#received, expected);
  }

  /** Forgets the snapshot: the next run begins another one. */
  drop(): void {
    this.#pages = [];
    this.#run.write((tx) => {
      tx.selectedSet.dropSnapshot();
    });
  }

  /** Pages, the token of the next one and, at the end, the cursor are saved in one transaction. */
  save(): void {
    const pages = this.#pages.splice(0);
    const last = pages.at(-1);
    if (last === undefined) return;
    const run = this.#run;
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
    const isFirst = !run.store.queries.selectedSet.complete;
    for (const { skipped } of pages) run.noteSkipped(skipped);
    const { added } = run.write((tx) => {
      // Until the first set is complete, nothing of it is shown.
      if (this.#saved === null && isFirst) tx.listIndexes.drop();
      if (isFirst) tx.readingStart.begin(run.timeThere);
      tx.items.upsertAll(items, { kind: 'selected', generation });
      // An unreadable record doesn't remove its saved item from the set.
      for (const { id } of pages.flatMap(({ skipped }) => skipped)) if (id) tx.items.keepMember(id, generation);
      if (next) return tx.selectedSet.saveSnapshot(next);
      const missing = tx.items.missingIn(generation);
      const { queries } = run.store;
      const earlier = queries.items.parked('member') > 0 ? savedDoubt('selected', queries.mirror) : null;
      // Before the first set is complete, nothing of it is shown, and nothing can be lost.
      const doubt = isFirst
        ? null
        : lastingDoubt({ stored: this.#before, missing, received: stored }, earlier, run.now(), hides);
      saveDoubt('selected', doubt, tx);
      if (doubt) tx.items.parkBefore(generation);
      else tx.items.sweepBefore(generation, run.expiryTime);
      noteLosses(run, { missing, doubt, confirms: doubt === null && !hides }, tx);
      tx.selectedSet.finishSnapshot(generation, cursor);
      tx.validators.clear('selected');
      // The others follow when all of it is shown.
      tx.listIndexes.createNext();
    });
    // Items that the list brought before are new to the set, too.
    if (isFirst) run.count({ added: items.length - added });
    this.#saved = next;
    this.#savedAt = run.now();
  }
}

/**
 * Expected number of records: the service's count if it is that of the whole set and not of the page, otherwise the
 * size of the previous set, which changes little.
 */
function expectedIn({ count, items, skipped }: SnapshotPage, { store: { queries } }: Run): number | null {
  if (count !== null && count > items.length + countSkipped(skipped)) return count;
  return queries.selectedSet.complete ? queries.items.stored().selected : null;
}

async function snapshotPage(run: Run, page: string | undefined, signal: AbortSignal): Promise<SnapshotPage> {
  const answer = await run.fetch(() => run.news.snapshotPage({ page, limit: SNAPSHOT_PAGE }, { signal }));
  if (answer.kind === 'notModified') throw neverAsked();
  if (answer.value.hasMore && answer.value.nextPage === page) throw standsStill();
  return answer.value;
}

function isCode(error: unknown, code: BroadsheetError['code']): boolean {
  return error instanceof BroadsheetError && error.code === code;
}

function standsStill(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service returned the same next page again. Try again later.', {
    retryable: true,
  });
}
