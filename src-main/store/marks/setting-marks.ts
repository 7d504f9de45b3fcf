import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { nextStamp, type Mark } from '../../common/marks.ts';
import { readSetting } from '../../contract/guards.ts';
import {
  DEFAULT_SETTINGS,
  SHARED_SETTINGS,
  type ArrivedSettings,
  type SharedSettings,
} from '../../contract/settings.ts';
import type { Properties } from '../database/properties.ts';
import { readStored } from '../database/stored-json.ts';
import { valueText } from './mark-values.ts';

/** The property of user.db with the settings as they were when they were stamped last. */
const STAMPED = 'marks_settings';
const TEXTS = z.record(z.string(), z.string());

type Stamped = Pick<Mark, 'id' | 'epoch' | 'time' | 'machine' | 'value'>;

/**
 * Settings that machines share, as marks of the kind `setting`. They are in `settings.json` and not in a table, so a change is
 * found by a comparison with what was stamped last. One whose value means nothing here has `left_out`: it is passed on.
 * Write within a transaction.
 */
export class SettingMarks {
  readonly #user: Properties;
  readonly #get;
  readonly #put;

  constructor(database: Database, user: Properties) {
    this.#user = user;
    this.#get = database.prepare<[string], Stamped>(
      `SELECT id, epoch, time, machine, value FROM user.carried_mark WHERE kind = 'setting' AND service = '' AND id = ?`,
    );
    this.#put = database.prepare<[string, number, number, string, string | null]>(
      `INSERT OR REPLACE INTO user.carried_mark (kind, service, id, epoch, time, machine, value, unsaved, left_out)
       VALUES ('setting', '', ?, ?, ?, ?, ?, 1, 0)`,
    );
  }

  /**
   * Stamps what the reader changed since the last time. The first time, what other machines set wins: what differs from the
   * defaults here gets the oldest stamp there is. `now` is ms since 1970.
   */
  stamp(current: SharedSettings, machine: string, now: number): void {
    const before = this.#user.json(STAMPED, TEXTS);
    const texts = textsOf(current);
    for (const name of SHARED_SETTINGS) {
      const value = texts[name] ?? '';
      const known = this.#get.get(name) ?? null;
      const was = before?.[name];
      if (was === undefined) {
        const isDefault = value === textOf(DEFAULT_SETTINGS[name]);
        if (known === null && !isDefault) this.#save({ id: name, epoch: 0, time: 0, machine, value });
      } else if (value !== was && value !== known?.value) {
        this.#save({ id: name, value, ...nextStamp(known, { now, madeAt: null, machine }) });
      }
    }
    const text = JSON.stringify(texts);
    if (text !== JSON.stringify(before)) this.#user.set(STAMPED, text);
  }

  /** Returns what other machines set and this one does not have yet. */
  arrived(current: SharedSettings): ArrivedSettings {
    const arrived: ArrivedSettings = { patch: {}, before: {} };
    for (const name of SHARED_SETTINGS) {
      const value = this.#get.get(name)?.value ?? null;
      if (value === null || value === textOf(current[name])) continue;
      const read = readSetting(name, readStored(value, z.unknown()));
      if (read === null) continue;
      Object.assign(arrived.patch, read);
      Object.assign(arrived.before, { [name]: current[name] });
    }
    return arrived;
  }

  /** Settings are not shared any more. What was shared stays, as marks and as settings. */
  forget(): void {
    this.#user.set(STAMPED, null);
  }

  #save({ id, epoch, time, machine, value }: Stamped): void {
    this.#put.run(id, epoch, time, machine, value);
  }
}

/** Returns true if this version shares the setting, and knows its value. */
export function isKnownSetting({ id, value }: Pick<Mark, 'id' | 'value'>): boolean {
  const isShared = SHARED_SETTINGS.some((name) => name === id);
  return isShared && value !== null && readSetting(id, JSON.parse(value)) !== null;
}

function textsOf(settings: SharedSettings): Record<string, string> {
  return Object.fromEntries(SHARED_SETTINGS.map((name) => [name, textOf(settings[name])]));
}

function textOf(value: unknown): string {
  return valueText('setting', value as z.core.util.JSONType);
}
