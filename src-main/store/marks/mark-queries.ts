import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { MACHINE_ID } from '../../common/marks.ts';
import type { Properties } from '../database/properties.ts';

/** The folder of marks, and this machine's name in it. */
export interface MarksFolderConfig {
  folder: string;
  machine: string;
  /** Machines that were removed: what they marked is in this machine's files. */
  adopted: string[];
  /** Whether what this machine writes is encrypted. The key is elsewhere. */
  encrypted: boolean;
  /** Whether settings are shared, too. */
  settings: boolean;
  /** Whether its files are still to be written again, because they are encrypted otherwise. */
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

/** The property of user.db that has the {@link MarksFolderConfig}. */
export const MARKS_FOLDER_PROPERTY = 'marks_folder';

/** What is known here of the folder of marks, for connections that only read, too. */
export class MarkQueries {
  readonly #user: Properties;
  readonly #counts;

  constructor(database: Database, user: Properties) {
    this.#user = user;
    this.#counts = database.prepare<[], { unsaved: number; journal: number; leftOut: number; unknownSettings: number }>(
      `SELECT (SELECT count(*) FROM user.carried_mark WHERE unsaved = 1) AS unsaved,
              (SELECT count(*) FROM user.mark_journal) AS journal,
              (SELECT count(*) FROM user.carried_mark WHERE left_out = 1 AND kind <> 'setting') AS leftOut,
              (SELECT count(*) FROM user.carried_mark WHERE left_out = 1 AND kind = 'setting') AS unknownSettings`,
    );
  }

  /** Null while marks are not shared. */
  get config(): MarksFolderConfig | null {
    return this.#user.json(MARKS_FOLDER_PROPERTY, CONFIG);
  }

  /**
   * What the reader waits for: marks that are not in the folder yet, those that this machine has no room for, and settings that
   * this version does not know.
   */
  counts(): { waiting: number; leftOut: number; unknownSettings: number } {
    const { unsaved = 0, journal = 0, leftOut = 0, unknownSettings = 0 } = this.#counts.get() ?? {};
    return { waiting: unsaved + journal, leftOut, unknownSettings };
  }
}
