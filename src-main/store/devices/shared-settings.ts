/** The file of settings is their place, and a host writes it without a database: changes are found by comparison. */
import { z } from 'zod';
import { readSetting } from '../../contract/guards.ts';
import { valueText } from '../../contract/records.ts';
import {
  DEFAULT_SETTINGS,
  SHARED_SETTINGS,
  type ArrivedSettings,
  type SharedSettings,
} from '../../contract/settings.ts';
import { userProperties as user } from '../database/properties.ts';
import * as records from '../records.ts';
import { sql, value, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';

const RECORDED = 'settings_recorded';
const TEXTS = z.record(z.string(), z.string());
const OTHERS = sql`SELECT count(*) FROM user.record WHERE service = 0 AND kind = 'setting'
  AND value IS NOT NULL AND id NOT IN (${SHARED_SETTINGS.map((name) => `'${name}'`).join(', ')})`;

/** The first time, those of the other devices win. */
export function recordSettings(tx: Tx, current: SharedSettings): void {
  const before = user.json(tx.db, RECORDED, TEXTS);
  const texts: Record<string, string> = {};
  for (const name of SHARED_SETTINGS) {
    const text = (texts[name] = valueText(current[name]));
    const was = before?.[name];
    if (was !== undefined && was !== text) records.set(tx, 'setting', name, current[name]);
    if (was === undefined && text !== valueText(DEFAULT_SETTINGS[name])) {
      records.begin(tx, 'setting', name, current[name]);
    }
  }
  const text = JSON.stringify(texts);
  if (text !== JSON.stringify(before)) user.set(tx.db, RECORDED, text);
}

export function arrivedSettings(db: Db, current: SharedSettings): ArrivedSettings {
  const arrived: ArrivedSettings = { patch: {}, before: {} };
  for (const name of SHARED_SETTINGS) {
    const setting = records.get(db, 'setting', name);
    if (setting === null || valueText(setting) === valueText(current[name])) continue;
    const read = readSetting(name, setting);
    if (read === null) continue;
    Object.assign(arrived.patch, read);
    Object.assign(arrived.before, { [name]: current[name] });
  }
  return arrived;
}

export function forgetSettings(db: WritableDb): void {
  user.set(db, RECORDED, null);
}

/** Those of later versions, and values that mean nothing here. They are passed on. */
export function unknownSettings(db: Db): number {
  const unreadable = SHARED_SETTINGS.filter((name) => {
    const setting = records.get(db, 'setting', name);
    return setting !== null && readSetting(name, setting) === null;
  });
  return unreadable.length + (value<number>(db, OTHERS) ?? 0);
}
