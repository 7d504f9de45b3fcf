import { z } from 'zod';
import { MACHINE_ID } from '../../common/marks.ts';
import { userProperties as user } from '../database/properties.ts';
import { row, type Db } from '../sql.ts';

export interface MarksFolderConfig {
  folder: string;
  machine: string;
  /** Removed machines: what they marked is in this machine's files. */
  adopted: string[];
  encrypted: boolean;
  settings: boolean;
  /** True while files are to be written again, because they are encrypted otherwise. */
  rewrites: boolean;
}

const CONFIG = z.object({
  folder: z.string().min(1).max(4096),
  machine: z.string().regex(MACHINE_ID),
  adopted: z.array(z.string().regex(MACHINE_ID)).max(1000),
  encrypted: z.boolean().default(false),
  settings: z.boolean().default(false),
  rewrites: z.boolean().default(false),
});

export const MARKS_FOLDER_PROPERTY = 'marks_folder';

/** Left to note of what was marked before there was a folder. */
export const NOTING = 'marks_noting';
/** This machine's name in the folder, also while it shares nothing. */
export const MACHINE = 'marks_machine';

export function configOf(db: Db): MarksFolderConfig | null {
  return user.json(db, MARKS_FOLDER_PROPERTY, CONFIG);
}

export function lastMachine(db: Db): string | null {
  return MACHINE_ID.exec(user.get(db, MACHINE) ?? '')?.[0] ?? null;
}

export function isNoting(db: Db): boolean {
  return user.get(db, NOTING) !== null;
}

export function counts(db: Db): { waiting: number; leftOut: number; unknownSettings: number } {
  const found = row<{ unsaved: number; journal: number; leftOut: number; unknownSettings: number }>(
    db,
    `SELECT (SELECT count(*) FROM user.carried_mark WHERE unsaved = 1) AS unsaved,
            (SELECT count(*) FROM user.mark_journal) AS journal,
            (SELECT count(*) FROM user.carried_mark WHERE left_out = 1 AND kind <> 'setting') AS leftOut,
            (SELECT count(*) FROM user.carried_mark WHERE left_out = 1 AND kind = 'setting') AS unknownSettings`,
  );
  const { unsaved = 0, journal = 0, leftOut = 0, unknownSettings = 0 } = found ?? {};
  return { waiting: unsaved + journal, leftOut, unknownSettings };
}
