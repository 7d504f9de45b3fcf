/** The folder that the reader's devices share, and how much of the register is in it (docs/decisions/131). */
import { z } from 'zod';
import { KIND_NAMES, KINDS, isShared } from '../../contract/records.ts';
import { userProperties as user } from '../database/properties.ts';
import * as records from '../records.ts';
import { sql, value, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { forgetSettings, unknownSettings } from './shared-settings.ts';

export interface SharedFolder {
  folder: string;
  device: string;
  encrypted: boolean;
  settings: boolean;
  /** True while files are to be written again, because they are encrypted otherwise. */
  rewrites: boolean;
}

const SAVED = z.object({
  folder: z.string().min(1).max(4096),
  encrypted: z.boolean(),
  settings: z.boolean(),
  rewrites: z.boolean(),
});

const FOLDER = 'devices';
/** The last seq of the register that is in the folder. */
const TOLD = 'told';
/** Up to this seq, this device tells the records of all devices: the others may not come to the folder. */
const TOLD_ALL = 'told_all';

const UNSHARED = KIND_NAMES.filter((kind) => !KINDS[kind].shared);
const WAITING = sql`SELECT count(*) FROM user.record WHERE seq > ? AND (device = 0 OR seq <= ?)
  AND kind NOT IN (${UNSHARED.map((kind) => `'${kind}'`).join(', ')})`;
/** Kinds that are read up to their limit. Other devices can bring more. */
const LIMITED = KIND_NAMES.filter((kind) => KINDS[kind].effect === 'rules').map((kind) => [kind, KINDS[kind].limit]);
const LEFT_OUT = sql`SELECT ifnull(sum(max(0, (SELECT count(*) FROM user.record
    WHERE service = 0 AND kind = limited.value ->> 0 AND value IS NOT NULL) - (limited.value ->> 1))), 0)
  FROM json_each('${JSON.stringify(LIMITED)}') AS limited`;

export function config(db: Db): SharedFolder | null {
  const saved = user.json(db, FOLDER, SAVED);
  return saved && { ...saved, device: records.ownDevice(db) };
}

export function configure(tx: Tx, next: SharedFolder | null): void {
  const { db } = tx;
  if (next === null) for (const name of [FOLDER, TOLD, TOLD_ALL]) user.set(db, name, null);
  else {
    const { device, ...saved } = next;
    const isNew = config(db)?.folder !== next.folder;
    records.nameDevice(tx, device);
    user.set(db, FOLDER, JSON.stringify(saved));
    if (isNew) tellAll(tx);
  }
  if (!next?.settings) forgetSettings(db);
}

export function tellAll({ db }: Tx): void {
  user.set(db, TOLD, null);
  user.set(db, TOLD_ALL, String(records.lastSeq(db)));
}

export function told(db: Db): number {
  return user.number(db, TOLD);
}

/** Call it when everything up to `seq` is on the disk. A later change of a record has a greater one. */
export function confirmTold({ db }: Tx, seq: number): void {
  user.set(db, TOLD, String(seq));
}

/** A part of what this device tells, in the order of `seq`. `last` is null at the end. */
export function toTell(db: Db, after: number, limit: number): { records: records.Since[]; last: number | null } {
  const part = records.since(db, after, limit);
  const all = user.number(db, TOLD_ALL);
  return {
    records: part.filter(({ seq, isOwn, kind }) => (isOwn || seq <= all) && isShared(kind)),
    last: part.at(-1)?.seq ?? null,
  };
}

export function counts(db: Db): { waiting: number; leftOut: number; unknownSettings: number } {
  return {
    waiting: value<number>(db, WAITING, told(db), user.number(db, TOLD_ALL)) ?? 0,
    leftOut: value<number>(db, LEFT_OUT) ?? 0,
    unknownSettings: unknownSettings(db),
  };
}
