/** Settings are in no table: changes are found by comparison. One without meaning here has `left_out`. */
import { z } from 'zod';
import { nextStamp, type Mark } from '../../common/marks.ts';
import { readSetting } from '../../contract/guards.ts';
import { valueText } from '../../contract/records.ts';
import {
  DEFAULT_SETTINGS,
  SHARED_SETTINGS,
  type ArrivedSettings,
  type SharedSettings,
} from '../../contract/settings.ts';
import { userProperties as user } from '../database/properties.ts';
import { readStored } from '../database/stored-json.ts';
import { row, run, type Db, type WritableDb } from '../sql.ts';
import { configOf } from './mark-queries.ts';

const STAMPED = 'marks_settings';
const TEXTS = z.record(z.string(), z.string());

type Stamped = Pick<Mark, 'id' | 'epoch' | 'time' | 'machine' | 'value'>;

/** Others win the first time: what differs from the defaults gets the oldest stamp. */
export function stampChangedSettings(db: WritableDb, current: SharedSettings, machine: string, now: number): void {
  const before = user.json(db, STAMPED, TEXTS);
  const texts = textsOf(current);
  for (const name of SHARED_SETTINGS) {
    const value = texts[name] ?? '';
    const known = find(db, name) ?? null;
    const was = before?.[name];
    if (was === undefined) {
      const isDefault = value === textOf(DEFAULT_SETTINGS[name]);
      if (known === null && !isDefault) save(db, { id: name, epoch: 0, time: 0, machine, value });
    } else if (value !== was && value !== known?.value) {
      save(db, { id: name, value, ...nextStamp(known, { now, madeAt: null, machine }) });
    }
  }
  const text = JSON.stringify(texts);
  if (text !== JSON.stringify(before)) user.set(db, STAMPED, text);
}

export function arrivedSettings(db: Db, current: SharedSettings): ArrivedSettings {
  const arrived: ArrivedSettings = { patch: {}, before: {} };
  if (!configOf(db)?.settings) return arrived;
  for (const name of SHARED_SETTINGS) {
    const value = find(db, name)?.value ?? null;
    if (value === null || value === textOf(current[name])) continue;
    const read = readSetting(name, readStored(value, z.unknown()));
    if (read === null) continue;
    Object.assign(arrived.patch, read);
    Object.assign(arrived.before, { [name]: current[name] });
  }
  return arrived;
}

/** Call it when settings are no longer shared. What was shared stays. */
export function forgetSettings(db: WritableDb): void {
  user.set(db, STAMPED, null);
}

function find(db: Db, id: string): Stamped | undefined {
  return row<Stamped>(
    db,
    `SELECT id, epoch, time, machine, value FROM user.carried_mark WHERE kind = 'setting' AND service = '' AND id = ?`,
    id,
  );
}

function save(db: WritableDb, { id, epoch, time, machine, value }: Stamped): void {
  run(
    db,
    `INSERT OR REPLACE INTO user.carried_mark (kind, service, id, epoch, time, machine, value, unsaved, left_out)
     VALUES ('setting', '', ?, ?, ?, ?, ?, 1, 0)`,
    ...[id, epoch, time, machine, value],
  );
}

export function isKnownSetting({ id, value }: Pick<Mark, 'id' | 'value'>): boolean {
  const isShared = SHARED_SETTINGS.some((name) => name === id);
  return isShared && value !== null && readSetting(id, JSON.parse(value)) !== null;
}

function textsOf(settings: SharedSettings): Record<string, string> {
  return Object.fromEntries(SHARED_SETTINGS.map((name) => [name, textOf(settings[name])]));
}

function textOf(value: unknown): string {
  return valueText(value);
}
