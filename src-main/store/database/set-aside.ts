import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { FILES } from './databases.ts';
import { fromFileTime, kindOf, namesIn, PRIVATE_FILE } from './files.ts';

/** For example `user.db.damaged-2026-03-18T06-30-00-000Z`. `replaced` is no loss: the reader restored a backup. */
const ASIDE =
  /^(?:(?<database>[a-z-]+\.db(?:-wal|-shm)?)\.(?<reason>damaged|newer|foreign|not-a-file)|(?<settings>settings)\.(?<why>[a-z-]+))-(?<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)(?:-\d+)?(?:\.json)?$/;

const DISMISSED = '-dismissed';
/** Contains the time. */
const MISSING = /^(?<file>(?:user|mirror)\.db)-missing(?<end>-dismissed)?$/;
const missingNote = (file: string): string => `${file}-missing`;
const PRIVATE = { mode: PRIVATE_FILE };
/** Later than every backup. */
const NEVER_LATER = '9999-12-31T23:59:59.999Z';

interface Loss {
  warning: StorageWarning;
  /** RFC 3339. */
  at: string;
  dismissed: boolean;
}

/** The files that were set aside are the record: a warning outlives the process that found the damage, but not its file. */
export function lossesIn(folder: string): Loss[] {
  if (folder === ':memory:') return [];
  const names = new Set(namesIn(folder));
  // When a database was missing, only its log could be set aside.
  const losses = [...new Set([...names].map((name) => name.replace(/Z((?:-\d+)?)-(?:wal|shm)$/, 'Z$1')))].flatMap(
    (name) => {
      const { database, reason, settings, why, time } = ASIDE.exec(name)?.groups ?? {};
      const at = time === undefined ? null : fromFileTime(time);
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

export function damagedMirror(folder: string): string | null {
  const isDamaged = ({ file, reason }: StorageWarning) => file === FILES.mirror.name && reason === 'damaged';
  const name = lossesIn(folder).findLast(({ warning }) => isDamaged(warning))?.warning.setAsideAs ?? null;
  return name !== null && kindOf(join(folder, name)) === 'file' ? name : null;
}

/** Notes it once after each backup: `backedUpAt` is RFC 3339. */
export function noteMissing(folder: string, file: string, now: number, backedUpAt = ''): void {
  const isKnown = lossesIn(folder).some(
    ({ warning, dismissed, at }) => warning.file === file && !dismissed && at > backedUpAt,
  );
  if (!isKnown) writeFileSync(join(folder, missingNote(file)), new Date(now).toISOString(), PRIVATE);
}

export function dismissLoss(folder: string, id: string): boolean {
  const found = lossesIn(folder).find(({ warning, dismissed }) => !dismissed && idOf(warning) === id);
  if (!found) return false;
  const note = join(folder, missingNote(found.warning.file));
  if (found.warning.setAsideAs === null) renameSync(note, note + DISMISSED);
  else writeFileSync(join(folder, found.warning.setAsideAs + DISMISSED), '', PRIVATE);
  return true;
}

/** Returns a function that brings the warnings back. */
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
