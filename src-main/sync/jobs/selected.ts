import { BroadsheetError } from '../../contract/errors.ts';
import type { Change, SnapshotPage } from '../../clients/news/schemas.ts';
import type { OpenSnapshot } from '../../store/index.ts';
import type { Run, JobResult } from './sync-context.ts';

const SNAPSHOT_PAGE = 1000;
const CHANGES_PAGE = 100;

/**
 * Mirrors the selected set (document 1 section 1.5, sheet 3): one snapshot, then changes only. Only a 409
 * `snapshot_required` leads to a new snapshot, and the old set stays until its last page is saved.
 */
export async function syncSelected(run: Run): Promise<JobResult> {
  const fresh = run.store.queries.selectedSet.cursor === null;
  if (fresh) await takeSnapshot(run);
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
  await takeSnapshot(run);
  return { ...(await followChanges(run)), modified: true };
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

async function pageThrough(run: Run, open: OpenSnapshot | null): Promise<void> {
  let snapshot = open;
  const generation = open?.generation ?? run.store.queries.selectedSet.nextGeneration();
  do {
    const page = await snapshotPage(run, snapshot?.nextPage);
    snapshot = storePage(run, page, snapshot, generation);
  } while (snapshot !== null);
}

/** A page, the token of the next one and, at the end, the cursor are saved in one transaction. */
function storePage(run: Run, page: SnapshotPage, open: OpenSnapshot | null, generation: number): OpenSnapshot | null {
  const cursor = open?.cursor ?? page.cursor;
  const stored = (open?.stored ?? 0) + page.items.length;
  const next = page.hasMore && page.nextPage !== null ? { generation, cursor, nextPage: page.nextPage, stored } : null;
  const isFirst = !run.store.queries.selectedSet.complete;
  run.noteSkipped(page.skipped);
  const { added } = run.write((tx) => {
    tx.items.upsertAll(page.items, { kind: 'selected', generation });
    // An unreadable record doesn't remove its saved item from the set.
    for (const { id } of page.skipped) if (id) tx.items.keepMember(id, generation);
    if (next) return tx.selectedSet.saveSnapshot(next);
    tx.items.sweepBefore(generation);
    tx.selectedSet.finishSnapshot(generation, cursor);
    tx.validators.clear('selected');
  });
  // Items that the list brought before are new to the set, too.
  if (isFirst) run.count({ added: page.items.length - added });
  run.advance(stored, next ? expectedIn(page, run) : stored);
  return next;
}

/**
 * Expected number of records: the service's count if it is that of the whole set and not of the page, otherwise the
 * size of the previous set, which changes little.
 */
function expectedIn({ count, items, skipped }: SnapshotPage, { store: { queries } }: Run): number | null {
  if (count !== null && count > items.length + skipped.length) return count;
  return queries.selectedSet.complete ? queries.items.counts().selected.total : null;
}

async function snapshotPage(run: Run, page: string | undefined): Promise<SnapshotPage> {
  const answer = await run.fetch(() => run.news.snapshotPage({ page, limit: SNAPSHOT_PAGE }));
  if (answer.kind === 'notModified') throw neverAsked();
  if (answer.value.hasMore && answer.value.nextPage === page) throw standsStill();
  return answer.value;
}

async function followChanges(run: Run): Promise<JobResult> {
  const { selectedSet, schedule } = run.store.queries;
  let modified = false;
  for (;;) {
    const cursor = selectedSet.cursor;
    if (cursor === null) throw neverAsked();
    const validator = schedule.validator('selected', cursor);
    const answer = await run.fetch(() => run.news.changes({ cursor, limit: CHANGES_PAGE }, { validator }));
    if (answer.kind === 'notModified') return { modified, lifetime: answer.lifetimeMs };
    const page = answer.value;
    run.noteSkipped(page.skipped);
    run.write((tx) => {
      const origin = { kind: 'selected', generation: tx.selectedSet.generation } as const;
      for (const change of lastOfEach(page.changes)) {
        if (change.op === 'upsert') tx.items.upsert(change.item, origin);
        else tx.items.withdraw(change.id);
      }
      tx.selectedSet.advance(page.cursor);
      // The validator belongs to this cursor's page and is useless once the cursor advances.
      tx.validators.set('selected', cursor, page.cursor === cursor ? answer.validator : null);
    });
    modified ||= page.changes.length > 0;
    if (!page.hasMore) return { modified, lifetime: answer.lifetimeMs };
  }
}

/** The last change of each item: what was removed and restored between two syncs has not changed. */
function lastOfEach(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>();
  for (const change of changes) last.set(change.op === 'upsert' ? change.item.id : change.id, change);
  return [...last.values()];
}

function isCode(error: unknown, code: BroadsheetError['code']): boolean {
  return error instanceof BroadsheetError && error.code === code;
}

function neverAsked(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service answered "not modified" to an unconditional request.');
}

function standsStill(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service returned the same next page again. Try again later.', {
    retryable: true,
  });
}
