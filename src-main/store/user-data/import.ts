import { nameKey } from '../../common/text.ts';
import { noteOfHit } from '../../contract/model/note.ts';
import { KINDS, type Kind } from '../../contract/records.ts';
import { workloads } from '../models/model-statuses.ts';
import { list, merge, type Exported } from '../records.ts';
import { followRules, savedSearchRows } from '../rules/rules.ts';
import { run, type WritableDb } from '../sql.ts';
import { mergeAddress, mergeStatuses, mergeUnread } from '../statuses/actions.ts';
import { followStart } from '../statuses/reading-start.ts';
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
  if (tx.changed.some(({ kind }) => kind === 'start')) followStart(tx);
  if (tx.changed.some(({ kind }) => kind === 'saved' || kind === 'mute')) followRules(tx);
  return sum;
}

/** Statements here skip equal rows: `changes` is then 0. */
const TAKE: Readonly<Record<ExportedName, (tx: Tx, rows: UserRows) => Outcome[]>> = {
  record: (tx, rows) => takeRecords(tx, rows.record),
  item_status: (tx, rows) => mergeStatuses(tx, rows.item_status).map(outcomeOf),
  unread_mark: (tx, rows) => mergeUnread(tx, rows.unread_mark).map(outcomeOf),
  withdrawn_star: ({ db }, rows) => rows.withdrawn_star.map((one) => takeWithdrawnStar(db, one)),
};

function takeRecords(tx: Tx, exported: readonly Exported[]): Outcome[] {
  const isAddress = ({ kind, id, value }: Exported): boolean =>
    kind === 'address' && KINDS.address.id(id) && KINDS.address.value.safeParse(value).success;
  const { fitting, left } = aliasesWithRoom(
    tx,
    exported.filter((record) => !isAddress(record)),
  );
  return [
    ...merge(tx, withKnownNames(tx, fitting)),
    ...left.map((): Outcome => 'skipped'),
    // The items of the address are read with it.
    ...exported.filter(isAddress).map(({ id, value }) => outcomeOf(mergeAddress(tx, id, value as number))),
  ];
}

/** A search or workload of the same name is the same one. */
function withKnownNames({ db }: Tx, exported: readonly Exported[]): Exported[] {
  const known = {
    saved: new Map(savedSearchRows(db).map(({ id, name }) => [nameKey(name), id])),
    workload: new Map(workloads(db).map(({ id, name }) => [nameKey(name), String(id)])),
  };
  return exported.map((record) => {
    if (record.kind !== 'saved' && record.kind !== 'workload') return record;
    const { success, data } = KINDS[record.kind].value.safeParse(record.value);
    const id = success ? known[record.kind].get(nameKey(data.name)) : undefined;
    return id === undefined ? record : { ...record, id };
  });
}

function aliasesWithRoom({ db }: Tx, exported: readonly Exported[]): { fitting: Exported[]; left: Exported[] } {
  const models = new Map(list(db, 'alias').map(([folded, { model }]) => [folded, model]));
  const counts = new Map<string, number>();
  for (const model of models.values()) counts.set(model, (counts.get(model) ?? 0) + 1);
  const fitting: Exported[] = [];
  const left: Exported[] = [];
  for (const record of exported) {
    const alias = record.kind === 'alias' ? KINDS.alias.value.safeParse(record.value).data : undefined;
    const isNew = alias !== undefined && models.get(record.id) !== alias.model;
    const count = isNew ? (counts.get(alias.model) ?? 0) + 1 : 0;
    if (isNew) counts.set(alias.model, count);
    (count > MAX_ALIASES ? left : fitting).push(record);
  }
  return { fitting, left };
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

function outcomeOf(changed: boolean): Outcome {
  return changed ? 'taken' : 'unchanged';
}
