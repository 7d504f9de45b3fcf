import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { readStored } from '../database/stored-json.ts';
import { MOST_WORKLOADS } from '../models/model-statuses.ts';
import { nameKey } from '../../common/text.ts';
import { resolveStory } from '../stories/story-aliases.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import { followRules, mergeMute, mergeSaved } from '../rules/rules.ts';
import { mergeAddress, mergeStatuses, mergeUnread } from '../statuses/merge.ts';
import { merge as mergeStart } from '../statuses/reading-start.ts';
import type { Tx } from '../tx.ts';
import * as notes from './notes.ts';
import type { UserRows } from './user-rows.ts';

/** The most aliases that a model may have. */
const MAX_ALIASES = 20;

/** The numbers of rows that were added or changed, were already equal, or exceeded a limit. */
export interface Taken {
  taken: number;
  unchanged: number;
  skipped: number;
}

type Outcome = keyof Taken;
type RowOf<Name extends keyof UserRows> = UserRows[Name][number];

/**
 * Merges the rows of an export, within a transaction. Nothing saved here is removed. Of two times for the same action
 * the earlier one is kept, and of two versions of a note the later one; where both have an alias or a workload, the file's
 * replaces it.
 */
export class UserDataImport {
  readonly #tx: Tx;
  readonly #statements;
  readonly #bodies: { [Name in keyof UserRows]: (rows: UserRows) => Outcome[] };

  constructor(database: Database, tx: Tx) {
    this.#tx = tx;
    this.#statements = prepare(database);
    this.#bodies = {
      item_status: (rows) => mergeStatuses(tx, rows.item_status).map(outcome),
      unread_mark: (rows) => mergeUnread(tx, rows.unread_mark).map(outcome),
      reading_start: (rows) => rows.reading_start.map((row) => outcome(mergeStart(tx, row.mirror, row.first_at))),
      withdrawn_star: (rows) => rows.withdrawn_star.map((row) => outcome(this.#withdrawnStar(row))),
      story_status: (rows) => rows.story_status.map((row) => this.#storyStatus(row)),
      report_status: (rows) => rows.report_status.map((row) => outcome(this.#reportStatus(row))),
      address_status: (rows) => rows.address_status.map((row) => outcome(mergeAddress(tx, row.address, row.read_at))),
      model_favourite: (rows) =>
        rows.model_favourite.map(({ model, at }) => outcome(this.#statements.favourite.run(model, at).changes > 0)),
      model_alias: (rows) => rows.model_alias.map((row) => this.#alias(row)),
      workload: (rows) => rows.workload.map((row) => this.#workload(row)),
      note: (rows) => notes.mergeAll(tx.db, rows.note),
      saved_search: (rows) => rows.saved_search.map((row) => limited(mergeSaved(tx.db, row))),
      mute_rule: (rows) => rows.mute_rule.map((row) => limited(mergeMute(tx.db, row))),
    };
  }

  take(rows: UserRows): Taken {
    const sum: Taken = { taken: 0, unchanged: 0, skipped: 0 };
    for (const was of Object.values(this.#bodies).flatMap((body) => body(rows))) sum[was] += 1;
    this.#followMerges(rows);
    if (rows.saved_search.length + rows.mute_rule.length > 0) followRules(this.#tx);
    return sum;
  }

  /** Moves the status and the note of a story that was merged here to the survivor's id. */
  #followMerges(rows: UserRows): void {
    const { db, kept } = this.#tx;
    for (const { mirror: of, public_id: publicId } of rows.story_status) {
      const survivor = resolveStory(db, publicId);
      if (of === kept.service && survivor !== publicId) storyStatuses.move(db, publicId, survivor);
    }
    for (const { mirror: of, kind, id } of rows.note) {
      if (of === kept.service && kind === 'story') notes.moveStory(db, id, resolveStory(db, id));
    }
  }

  #storyStatus(row: RowOf<'story_status'>): Outcome {
    const here = this.#statements.storyStatus.get(row.mirror, row.public_id);
    const merged = here ? mergeStoryStatuses(here, row) : row;
    // A status that is neither followed nor starred is empty.
    if (merged.followed_at === null && merged.starred_at === null) return 'unchanged';
    if (here && JSON.stringify(merged) === JSON.stringify(here)) return 'unchanged';
    const { mirror, public_id, followed_at, starred_at, visited_at, seen, digest_seen } = merged;
    this.#statements.putStoryStatus.run(mirror, public_id, followed_at, starred_at, visited_at, seen, digest_seen);
    return 'taken';
  }

  #withdrawnStar({ mirror, item_id, item_time, withdrawn_at }: RowOf<'withdrawn_star'>): boolean {
    return this.#statements.withdrawnStar.run(mirror, item_id, item_time, withdrawn_at).changes > 0;
  }

  #reportStatus({ mirror, kind, label, read_at }: RowOf<'report_status'>): boolean {
    return this.#statements.reportStatus.run(mirror, kind, label, read_at).changes > 0;
  }

  /** An alias belongs to one model: the file's model, if both have it. */
  #alias({ model, alias }: RowOf<'model_alias'>): Outcome {
    const folded = nameKey(alias);
    const here = this.#statements.alias.get(folded);
    if (here?.model === model) {
      if (here.alias === alias) return 'unchanged';
      this.#statements.respell.run(alias, folded);
      return 'taken';
    }
    const { count, next } = this.#statements.aliasesOf.get(model) ?? { count: 0, next: 0 };
    if (count >= MAX_ALIASES) return 'skipped';
    this.#statements.putAlias.run(folded, alias, model, next);
    return 'taken';
  }

  #workload(row: RowOf<'workload'>): Outcome {
    const folded = nameKey(row.name);
    const { count, has } = this.#statements.workloads.get(folded) ?? { count: 0, has: 0 };
    if (has === 0 && count >= MOST_WORKLOADS) return 'skipped';
    const { name, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at } = row;
    const values = [name, folded, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at];
    return outcome(this.#statements.workload.run(...values).changes > 0);
  }
}

function mergeStoryStatuses(here: RowOf<'story_status'>, file: RowOf<'story_status'>): RowOf<'story_status'> {
  const seen = [here.seen, file.seen].flatMap((text) => readStored(text, z.array(z.string())) ?? []);
  return {
    ...here,
    followed_at: earlier(here.followed_at, file.followed_at),
    starred_at: earlier(here.starred_at, file.starred_at),
    visited_at: later(here.visited_at, file.visited_at),
    seen: JSON.stringify([...new Set(seen)]),
    // The digest of the later visit, else of the other one.
    digest_seen:
      (file.visited_at ?? 0) > (here.visited_at ?? 0)
        ? (file.digest_seen ?? here.digest_seen)
        : (here.digest_seen ?? file.digest_seen),
  };
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function outcome(changed: boolean): Outcome {
  return changed ? 'taken' : 'unchanged';
}

/** Null: there are too many. */
function limited(changed: boolean | null): Outcome {
  return changed === null ? 'skipped' : outcome(changed);
}

/** These statements skip equal rows: `changes` is then 0. */
function prepare(database: Database) {
  return {
    storyStatus: database.prepare<[string, string], RowOf<'story_status'>>(
      'SELECT * FROM user.story_status WHERE mirror = ? AND public_id = ?',
    ),
    putStoryStatus: database.prepare(
      `INSERT OR REPLACE INTO user.story_status (mirror, public_id, followed_at, starred_at, visited_at, seen, digest_seen)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    withdrawnStar: database.prepare(
      `INSERT INTO user.withdrawn_star (mirror, item_id, item_time, withdrawn_at)
       VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    reportStatus: database.prepare(
      `INSERT INTO user.report_status (mirror, kind, label, read_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET read_at = excluded.read_at WHERE excluded.read_at < read_at`,
    ),
    favourite: database.prepare(
      `INSERT INTO user.model_favourite (model, at) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at < at`,
    ),
    alias: database.prepare<[string], { alias: string; model: string }>(
      'SELECT alias, model FROM user.model_alias WHERE folded = ?',
    ),
    respell: database.prepare<[string, string]>('UPDATE user.model_alias SET alias = ? WHERE folded = ?'),
    aliasesOf: database.prepare<[string], { count: number; next: number }>(
      'SELECT count(*) AS count, ifnull(max(position), -1) + 1 AS next FROM user.model_alias WHERE model = ?',
    ),
    putAlias: database.prepare<[string, string, string, number]>(
      'INSERT OR REPLACE INTO user.model_alias (folded, alias, model, position) VALUES (?, ?, ?, ?)',
    ),
    workloads: database.prepare<[string], { count: number; has: number }>(
      'SELECT count(*) AS count, ifnull(sum(folded = ?), 0) AS has FROM user.workload',
    ),
    workload: database.prepare(
      `INSERT INTO user.workload (name, folded, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (folded) DO UPDATE SET name = excluded.name, tokens_in = excluded.tokens_in,
         tokens_out = excluded.tokens_out, tokens_cached = excluded.tokens_cached,
         requests_a_month = excluded.requests_a_month
       WHERE (name, tokens_in, tokens_out, tokens_cached, requests_a_month) IS NOT
         (excluded.name, excluded.tokens_in, excluded.tokens_out, excluded.tokens_cached, excluded.requests_a_month)`,
    ),
  };
}
