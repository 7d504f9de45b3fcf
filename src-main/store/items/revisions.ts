import type { Item, Revision } from '../../contract/model/item.ts';
import { asTime } from '../../common/time.ts';
import { rows, run, sql, type Db, type WritableDb } from '../sql.ts';
import type { ServiceColumns } from './item-rows.ts';

/** Texts that change back and forth must not fill the disk. */
const MAX_REVISIONS = 20;

const REVISED_FIELDS = {
  title: 'title',
  original_title: 'originalTitle',
  summary: 'summary',
  source_name: 'source.name',
  link_original: 'links.original',
  attribution: 'attribution',
} as const satisfies Partial<Record<keyof ServiceColumns, string>>;

type RevisedColumn = keyof typeof REVISED_FIELDS;
export type Before = Partial<Record<RevisedColumn, string | null>>;

interface RevisionRow {
  at: number;
  before: string;
}

/** Replaces an unreadable attribution, until the item is fetched again. */
export const LOST_ATTRIBUTION = '{}';

export function revisedColumns(
  differing: readonly (keyof ServiceColumns)[],
  before: ServiceColumns,
  after: ServiceColumns,
): RevisedColumn[] {
  return differing.filter(isRevisedColumn).filter((name) => !isOtherAddressOnly(name, before, after));
}

/** Ignores addresses of the service's own site, which all change with its domain. */
export function isOtherAddressOnly(name: keyof ServiceColumns, before: ServiceColumns, after: ServiceColumns): boolean {
  if (name === 'link_aihot') return true;
  if (name !== 'attribution') return false;
  return isLost(before.attribution) || attributionInWords(before.attribution) === attributionInWords(after.attribution);
}

function isLost(attribution: string | null): boolean {
  return attribution !== null && Object.keys(parse(attribution)).length === 0;
}

function isRevisedColumn(name: keyof ServiceColumns): name is RevisedColumn {
  return Object.hasOwn(REVISED_FIELDS, name);
}

const PRUNE = sql`DELETE FROM revision WHERE key = ? AND rowid <= (
  SELECT rowid FROM revision WHERE key = ? ORDER BY rowid DESC LIMIT 1 OFFSET ${MAX_REVISIONS})`;

export function addRevision(
  db: WritableDb,
  key: number,
  before: Before,
  { sequence, now }: { sequence: number; now: number },
): void {
  const texts = JSON.stringify(before);
  run(db, 'INSERT INTO revision (sequence, key, at, before) VALUES (?, ?, ?, ?)', sequence, key, now, texts);
  run(db, PRUNE, key, key);
}

/** Returns the newest first. A text's later value is in the next revision that changed it, or in `present`. */
export function revisionsOf(db: Db, key: number, present: ServiceColumns): Revision[] {
  const after: Before = { ...present };
  const all = rows<RevisionRow>(db, 'SELECT at, before FROM revision WHERE key = ? ORDER BY rowid DESC', key);
  return all.map(({ at, before: stored }) => {
    const before = parse(stored) as Before;
    const columns = Object.keys(before) as RevisedColumn[];
    const fields = columns.map((name) => change(name, before[name] ?? null, after[name] ?? null));
    Object.assign(after, before);
    // Only the name of an attribution is shown.
    return { at: asTime(at) ?? '', fields: fields.filter(({ before: was, after: is }) => was !== is) };
  });
}

function change(name: RevisedColumn, before: string | null, after: string | null): Revision['fields'][number] {
  const words = (value: string | null): string | null => (name === 'attribution' ? attributionInWords(value) : value);
  return { field: REVISED_FIELDS[name], before: words(before), after: words(after) };
}

function attributionInWords(json: string | null): string | null {
  const { name } = (json === null ? {} : parse(json)) as Partial<NonNullable<Item['attribution']>>;
  return (typeof name === 'string' && name) || null;
}

function parse(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
