import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { namesIn, PRIVATE_FILE } from './files.ts';
import { FILE_NAMES } from './identity.ts';
import { kindOf } from './places.ts';

/** For example `user.db.damaged-2026-03-18T06-30-00-000Z`. `replaced`, which the reader asked for, is not a reason. */
const ASIDE =
  /^(?:(?<database>[a-z-]+\.db(?:-wal|-shm)?)\.(?<reason>damaged|newer|foreign|not-a-file)|(?<settings>settings)\.(?<why>[a-z-]+))-(?<stamp>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)(?:-\d+)?(?:\.json)?$/;

const DISMISSED = '-dismissed';
/** Notes that a database was missing; contains the time. */
const MISSING = /^(?<file>(?:user|models|mirror)\.db)-missing(?<end>-dismissed)?$/;
const missingNote = (file: string): string => `${file}-missing`;
const PRIVATE = { mode: PRIVATE_FILE };
/** Later than every backup. */
const NEVER_LATER = '9999-12-31T23:59:59.999Z';

export interface Loss {
  warning: StorageWarning;
  /** RFC 3339. */
  at: string;
  dismissed: boolean;
}

/**
 * Returns the losses of a data folder. The files that were set aside are the record, so a message can't get lost with the
 * process that found the damage, and ends when the file is deleted or moved away.
 */
export function lossesIn(folder: string): Loss[] {
  if (folder === ':memory:') return [];
  const names = new Set(namesIn(folder));
  // When a database was missing, only its log could be set aside.
  const losses = [...new Set([...names].map((name) => name.replace(/Z((?:-\d+)?)-(?:wal|shm)$/, 'Z$1')))].flatMap(
    (name) => {
      const { database, reason, settings, why, stamp } = ASIDE.exec(name)?.groups ?? {};
      const at = stamp === undefined ? null : timeOfStamp(stamp);
      if (at === null) return [];
      const file = database ?? `${String(settings)}.json`;
      const warning = { file, setAsideAs: name, reason: reason ?? why ?? '' };
      return [{ warning, at, dismissed: names.has(name + DISMISSED) }];
    },
  );
  const missing = [...names].flatMap((name) => {
    const { file, end } = MISSING.exec(name)?.groups ?? {};
    if (file === undefined) return [];
    const warning = { file, setAsideAs: null, reason: 'missing' };
    return [{ warning, at: timeIn(join(folder, name)), dismissed: end !== undefined }];
  });
  return [...losses, ...missing].toSorted(
    (a, b) => a.at.localeCompare(b.at) || idOf(a.warning).localeCompare(idOf(b.warning)),
  );
}

/** Returns the damaged mirror that was set aside last, if it is still there. */
export function damagedMirror(folder: string): string | null {
  const isDamaged = ({ file, reason }: StorageWarning) => file === FILE_NAMES.mirror && reason === 'damaged';
  const name = lossesIn(folder).findLast(({ warning }) => isDamaged(warning))?.warning.setAsideAs ?? null;
  return name !== null && kindOf(join(folder, name)) === 'file' ? name : null;
}

/** Notes nothing if that was noted since `backedUpAt` (RFC 3339), the newest backup. `now` is ms since 1970. */
export function noteMissing(folder: string, file: string, now: number, backedUpAt = ''): void {
  const isKnown = lossesIn(folder).some(
    ({ warning, dismissed, at }) => warning.file === file && !dismissed && at > backedUpAt,
  );
  if (!isKnown) writeFileSync(join(folder, missingNote(file)), new Date(now).toISOString(), PRIVATE);
}

/** Ends a warning by its {@link idOf}. Returns false if there is none. Errors: those of the file system. */
export function dismissLoss(folder: string, id: string): boolean {
  const found = lossesIn(folder).find(({ warning, dismissed }) => !dismissed && idOf(warning) === id);
  if (!found) return false;
  const note = join(folder, missingNote(found.warning.file));
  if (found.warning.setAsideAs === null) renameSync(note, note + DISMISSED);
  else writeFileSync(join(folder, found.warning.setAsideAs + DISMISSED), '', PRIVATE);
  return true;
}

/** Ends the warnings about a restored file. Returns a function that brings them back. */
export function settleLosses(folder: string, file: string): () => void {
  const settled = lossesIn(folder).filter(({ warning, dismissed }) => !dismissed && warning.file === file);
  for (const { warning } of settled) dismissLoss(folder, idOf(warning));
  return () => {
    for (const { warning, at } of settled) {
      if (warning.setAsideAs === null) {
        const note = join(folder, missingNote(file));
        writeFileSync(note, at, PRIVATE);
        rmSync(note + DISMISSED, { force: true });
      } else rmSync(join(folder, warning.setAsideAs + DISMISSED), { force: true });
    }
  };
}

export function idOf({ file, setAsideAs }: StorageWarning): string {
  return setAsideAs ?? file;
}

function timeIn(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    return Number.isNaN(Date.parse(text)) ? NEVER_LATER : text;
  } catch {
    return NEVER_LATER;
  }
}

/** Returns null for a name that only looks like one. */
function timeOfStamp(stamp: string): string | null {
  const at = stamp.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/, 'T$1:$2:$3.$4Z');
  return Number.isNaN(Date.parse(at)) ? null : at;
}
