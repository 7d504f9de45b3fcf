import { BroadsheetError } from '../../contract/errors.ts';
import type { SnapshotPage } from '../../clients/news/schemas.ts';
import { countSkipped } from '../../clients/parsing/records.ts';
import type { OpenSnapshot } from '../../store/index.ts';
import { followChanges, neverAsked } from './changes.ts';
import { doubtAbout, doubtOf, saveDoubt } from './confirmation.ts';
import { ContradictorySnapshot, SnapshotCounts } from './snapshot-counts.ts';
import type { Run, JobResult } from './sync-context.ts';

const SNAPSHOT_PAGE = 1000;
/** Pages that are saved together at most: indexes in order of time are written all over by each write. */
const PAGES_A_WRITE = 5;
/** In ms: once this time has passed since the last write, a page is saved at once. */
const WRITE_EVERY = 250;

/**
 * Mirrors the selected set (document 1 section 1.5, sheet 3): one snapshot, then changes only. Only a 409
 * `snapshot_required` leads to a new snapshot, and the old set stays until its last page is saved. If much of the set is
 * missing in that snapshot, the set stays until a second one confirms it (docs/decisions/032).
 */
export async function syncSelected(run: Run): Promise<JobResult> {
  const fresh = run.store.queries.selectedSet.cursor === null;
  const doubted = fresh ? await takeSnapshot(run) : null;
  if (doubted) return doubted;
  try {
    // Also after a snapshot, for changes made while its pages were fetched.
    const result = await followChanges(run);
    return { ...result, modified: fresh || result.modified };
  } catch (error) {
    if (fresh || !isCode(error, 'snapshot_required')) throw error;
  }
  run.write((tx) => {
    tx.selectedSet.requireSnapshot();
  });
  return (await takeSnapshot(run)) ?? { ...(await followChanges(run)), modified: true };
}

/**
 * Resumes an incomplete snapshot. Restarts it once if the service no longer accepts the page token. Returns null, or the
 * result of the job if the snapshot is doubted.
 */
async function takeSnapshot(run: Run): Promise<JobResult | null> {
  const open = run.store.queries.selectedSet.openSnapshot;
  try {
    return await pageThrough(run, open);
  } catch (error) {
    if (!isCode(error, 'snapshot_required') && !isCode(error, 'invalid_cursor')) throw error;
    if (run.store.queries.selectedSet.openSnapshot === null) throw error;
    run.write((tx) => {
      tx.selectedSet.dropSnapshot();
    });
    return pageThrough(run, null);
  }
}

/** Fetches the next page while one is saved. Fast pages are saved several at a time, a slow one at once. */
async function pageThrough(run: Run, open: OpenSnapshot | null): Promise<JobResult | null> {
  const loader = new SnapshotLoader(run, open);
  const failed = new AbortController();
  const fetched = (token: string | null | undefined): Promise<FetchedPage> | null => {
    const coming = token === null ? null : snapshotPage(run, token, failed.signal);
    // Its failure counts once the pages before it are saved.
    coming?.catch(() => undefined);
    return coming;
  };
  let lifetime = 0;
  let coming = fetched(open?.nextPage);
  try {
    while (coming) {
      const { page, lifetime: ofPage }: FetchedPage = await coming;
      lifetime = ofPage;
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
  return doubtOf('selected', run.store.queries) && { modified: true, lifetime };
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
    const next =
      last.hasMore && last.nextPage !== null
        ? { generation, cursor, nextPage: last.nextPage, stored, before: this.#before }
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
      const size = { stored: this.#before, missing: tx.items.missingIn(generation), received: stored };
      // Before the first set is complete, nothing of it is shown, and nothing can be lost.
      const doubt = isFirst ? null : doubtAbout(size, doubtOf('selected', run.store.queries), run.now());
      saveDoubt('selected', doubt, tx);
      if (doubt) return tx.selectedSet.doubtSnapshot(generation);
      tx.items.sweepBefore(generation, run.expiryTime);
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

interface FetchedPage {
  page: SnapshotPage;
  /** In ms. */
  lifetime: number;
}

async function snapshotPage(run: Run, page: string | undefined, signal: AbortSignal): Promise<FetchedPage> {
  const answer = await run.fetch(() => run.news.snapshotPage({ page, limit: SNAPSHOT_PAGE }, { signal }));
  if (answer.kind === 'notModified') throw neverAsked();
  if (answer.value.hasMore && answer.value.nextPage === page) throw standsStill();
  return { page: answer.value, lifetime: answer.lifetimeMs };
}

function isCode(error: unknown, code: BroadsheetError['code']): boolean {
  return error instanceof BroadsheetError && error.code === code;
}

function standsStill(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service returned the same next page again. Try again later.', {
    retryable: true,
  });
}
