import { nameKey } from '../../common/text.ts';
import { noteOfHit } from '../../contract/model/note.ts';
import { KINDS, type Kind } from '../../contract/records.ts';
import { MAX_WORKLOADS } from '../models/model-statuses.ts';
import { merge, type Exported } from '../records.ts';
import { followRules, savedSearchRows } from '../rules/rules.ts';
import { row, run, type WritableDb } from '../sql.ts';
import { mergeAddress, mergeStatuses, mergeUnread } from '../statuses/actions.ts';
import { merge as mergeStart } from '../statuses/reading-start.ts';
import { resolveStory } from '../stories/story-aliases.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import type { Tx } from '../tx.ts';
import { EXPORTED_NAMES, type ExportedName, type UserRows } from './exported-tables.ts';
import * as notes from './notes.ts';

const MAX_ALIASES = 20;
const STORY_KINDS: ReadonlySet<string> = new Set(['follow', 'story', 'seen'] satisfies Kind[]);

/** `skipped`: exceeded a limit. */
export interface Taken {
  taken: number;
  unchanged: number;
  skipped: number;
}

type Outcome = keyof Taken;
type RowOf<Name extends ExportedName> = UserRows[Name][number];

/** Removes nothing. Keeps the earlier of two times and the later version of a note; replaces aliases and workloads. */
export function takeUserRows(tx: Tx, rows: UserRows): Taken {
  const sum: Taken = { taken: 0, unchanged: 0, skipped: 0 };
  for (const outcome of EXPORTED_NAMES.flatMap((name) => TAKE[name](tx, rows))) sum[outcome] += 1;
  followMerges(tx, rows);
  if (tx.changed.some(({ kind }) => kind === 'saved' || kind === 'mute')) followRules(tx);
  return sum;
}

/** Statements here skip equal rows: `changes` is then 0. */
const TAKE: Readonly<Record<ExportedName, (tx: Tx, rows: UserRows) => Outcome[]>> = {
  record: (tx, rows) => merge(tx, withKnownNames(tx, rows.record)),
  item_status: (tx, rows) => mergeStatuses(tx, rows.item_status).map(outcomeOf),
  unread_mark: (tx, rows) => mergeUnread(tx, rows.unread_mark).map(outcomeOf),
  reading_start: (tx, rows) => rows.reading_start.map((one) => outcomeOf(mergeStart(tx, one.mirror, one.first_at))),
  withdrawn_star: ({ db }, rows) => rows.withdrawn_star.map((one) => takeWithdrawnStar(db, one)),
  address_status: (tx, rows) => rows.address_status.map((one) => outcomeOf(mergeAddress(tx, one.address, one.read_at))),
  model_alias: ({ db }, rows) => rows.model_alias.map((one) => takeAlias(db, one)),
  workload: ({ db }, rows) => rows.workload.map((one) => takeWorkload(db, one)),
};

/** A search of the same name is the same one. */
function withKnownNames({ db }: Tx, exported: readonly Exported[]): Exported[] {
  const known = new Map(savedSearchRows(db).map(({ id, name }) => [nameKey(name), id]));
  return exported.map((record) => {
    const { success, data } = KINDS.saved.value.safeParse(record.value);
    const id = record.kind === 'saved' && success ? known.get(nameKey(data.name)) : undefined;
    return id === undefined ? record : { ...record, id };
  });
}

function followMerges(tx: Tx, rows: UserRows): void {
  const { db, kept } = tx;
  for (const { kind, service, id } of rows.record) {
    if (service !== kept.service) continue;
    const note = kind === 'note' ? noteOfHit(id) : null;
    if (note?.kind === 'story') notes.moveStory(tx, note.id, resolveStory(db, note.id));
    const survivor = STORY_KINDS.has(kind) ? resolveStory(db, id) : id;
    if (survivor !== id) storyStatuses.move(tx, id, survivor);
  }
}

function takeWithdrawnStar(db: WritableDb, star: RowOf<'withdrawn_star'>): Outcome {
  const { mirror, item_id, item_time, withdrawn_at } = star;
  const { changes } = run(
    db,
    `INSERT INTO user.withdrawn_star (mirror, item_id, item_time, withdrawn_at)
     VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ...[mirror, item_id, item_time, withdrawn_at],
  );
  return outcomeOf(changes > 0);
}

/** An alias belongs to one model: that of the file, if both have it. */
function takeAlias(db: WritableDb, { model, alias }: RowOf<'model_alias'>): Outcome {
  const folded = nameKey(alias);
  const here = row<{ alias: string; model: string }>(
    db,
    'SELECT alias, model FROM user.model_alias WHERE folded = ?',
    folded,
  );
  if (here?.model === model) {
    if (here.alias === alias) return 'unchanged';
    run(db, 'UPDATE user.model_alias SET alias = ? WHERE folded = ?', alias, folded);
    return 'taken';
  }
  const { count, next } = row<{ count: number; next: number }>(
    db,
    'SELECT count(*) AS count, ifnull(max(position), -1) + 1 AS next FROM user.model_alias WHERE model = ?',
    model,
  ) ?? { count: 0, next: 0 };
  if (count >= MAX_ALIASES) return 'skipped';
  run(
    db,
    'INSERT OR REPLACE INTO user.model_alias (folded, alias, model, position) VALUES (?, ?, ?, ?)',
    ...[folded, alias, model, next],
  );
  return 'taken';
}

function takeWorkload(db: WritableDb, workload: RowOf<'workload'>): Outcome {
  const { name, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at } = workload;
  const folded = nameKey(name);
  const { count, has } = row<{ count: number; has: number }>(
    db,
    'SELECT count(*) AS count, ifnull(sum(folded = ?), 0) AS has FROM user.workload',
    folded,
  ) ?? { count: 0, has: 0 };
  if (has === 0 && count >= MAX_WORKLOADS) return 'skipped';
  const { changes } = run(
    db,
    `INSERT INTO user.workload (name, folded, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (folded) DO UPDATE SET name = excluded.name, tokens_in = excluded.tokens_in,
       tokens_out = excluded.tokens_out, tokens_cached = excluded.tokens_cached,
       requests_a_month = excluded.requests_a_month
     WHERE (name, tokens_in, tokens_out, tokens_cached, requests_a_month) IS NOT
       (excluded.name, excluded.tokens_in, excluded.tokens_out, excluded.tokens_cached, excluded.requests_a_month)`,
    ...[name, folded, tokens_in, tokens_out, tokens_cached, requests_a_month, created_at],
  );
  return outcomeOf(changes > 0);
}

function outcomeOf(changed: boolean): Outcome {
  return changed ? 'taken' : 'unchanged';
}
