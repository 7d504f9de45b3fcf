import type { Change, ChangesPage } from '../../clients/news/schemas.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Item } from '../../contract/model/item.ts';
import { countSkipped } from '../../clients/parsing/records.ts';
import { wantReasons } from './reasons.ts';
import { noteContradictions, noteUnreadableChanges } from './snapshot-checks.ts';
import type { JobResult, Run } from './sync-context.ts';

const CHANGES_PAGE = 100;
/** Changes in one transaction: about 30 ms. */
const CHANGES_A_WRITE = 1000;

/** Brings the selected set up to date with the changes since its cursor (document 1 section 1.5). */
export async function followChanges(run: Run): Promise<JobResult> {
  const { selectedSet, schedule } = run.store.queries;
  const changes = new PendingChanges(run);
  let modified = false;
  let cursor = selectedSet.cursor;
  try {
    for (;;) {
      if (cursor === null) throw neverAsked();
      const from = cursor;
      const validator = schedule.validator('selected', from);
      const answer = await run.fetch(() => run.news.changes({ cursor: from, limit: CHANGES_PAGE }, { validator }));
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

/** Groups pages of changes, because each write is followed by events and the search index. */
class PendingChanges {
  readonly #run: Run;
  #changes: Change[] = [];
  #cursor: string | null = null;
  #validator: string | null = null;
  #anyUnreadable = false;

  constructor(run: Run) {
    this.#run = run;
  }

  take(page: ChangesPage, from: string, validator: string | null): void {
    this.#run.noteSkipped(page.skipped);
    this.#anyUnreadable ||= countSkipped(page.skipped) > 0;
    this.#changes.push(...page.changes);
    this.#cursor = page.cursor;
    // The validator is useless once the cursor advances.
    this.#validator = page.cursor === from ? validator : null;
    if (this.#changes.length >= CHANGES_A_WRITE) this.save();
  }

  save(): void {
    const [run, changes, cursor, anyUnreadable] = [this.#run, this.#changes, this.#cursor, this.#anyUnreadable];
    if (cursor === null) return;
    this.#changes = [];
    this.#cursor = null;
    this.#anyUnreadable = false;
    run.write((tx) => {
      if (anyUnreadable) noteUnreadableChanges(run, tx);
      noteContradictions(run, itemsOf(changes), tx);
      const origin = { kind: 'selected', generation: tx.selectedSet.memberGeneration } as const;
      for (const change of lastOfEach(changes)) {
        if (change.op === 'upsert') tx.items.upsert(change.item, origin);
        else tx.items.leave(change.id, run.expiryTime);
      }
      wantReasons(run, itemsOf(changes), tx);
      tx.selectedSet.advance(cursor);
      tx.schedule.setValidator('selected', cursor, this.#validator);
    });
  }
}

function itemsOf(changes: readonly Change[]): Item[] {
  return changes.flatMap((change) => (change.op === 'upsert' ? [change.item] : []));
}

/** Keeps the last change of each item: what was removed and restored between two syncs has not changed. */
function lastOfEach(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>();
  for (const change of changes) last.set(change.op === 'upsert' ? change.item.id : change.id, change);
  return [...last.values()];
}

export function neverAsked(): BroadsheetError {
  return new BroadsheetError('invalid_body', 'The service answered "not modified" to an unconditional request.');
}
