/**
 * Links each report of a saved story to the item with its id, else to the oldest one with its address (decision 011). From
 * the links follow the folds: items shown under a newer report of their story, of several stories under the
 * one with the first id.
 */
import { canonicalAddress } from '../../contract/addresses.ts';
import type { ItemsQuery } from '../../contract/model/item.ts';
import type { Story } from '../../contract/model/story.ts';
import { readOrNull } from '../database/stored-json.ts';
import { after, type Derived } from '../derived/derived.ts';
import { itemsAt, RULES } from '../items/addresses.ts';
import { joinRecord } from '../records.ts';
import { rows, run, sql, value, values, type Db } from '../sql.ts';
import { READ_AT } from '../statuses/status-sql.ts';
import type { Tx } from '../tx.ts';

interface Covered {
  story: string;
  id: string;
  address: string | null;
  key: number | null;
}

export interface NamedItem {
  key: number;
  id: string;
  link: string | null;
}

export interface CoveredItem {
  key: number;
  id: string;
  read_at: number | null;
}

/** Some 20 ms. */
const STEP_STORIES = 50;

const ROWS = 'SELECT story, id, address, key FROM coverage WHERE';
const OF_STORY = sql`${ROWS} story = ?`;
const WITH_ID = sql`${ROWS} id = ?`;
const WITH_ADDRESS = sql`${ROWS} address = ?`;
const WITH_KEY = sql`${ROWS} key = ?`;
const STORIES_AFTER = sql`SELECT rowid, body FROM document
  WHERE kind = 'story' AND rowid > ? AND body IS NOT NULL ORDER BY rowid LIMIT ?`;
const ITEMS = sql`SELECT coverage.id AS report, item.key, item.id, ${READ_AT} AS read_at
  FROM coverage CROSS JOIN item_index USING (key) CROSS JOIN item USING (arrival) ${joinRecord('read', 'item.id')} WHERE story = ?`;

export function coverStory(tx: Tx, { publicId, reports }: Pick<Story, 'publicId' | 'reports'>): void {
  const wanted = new Map<string, string | null>();
  for (const { id, links } of reports) if (!wanted.has(id)) wanted.set(id, articleAddress(links.original));
  const before = rows<Covered>(tx.db, OF_STORY, publicId);
  if (before.length === wanted.size && before.every(({ id, address }) => wanted.get(id) === address)) return;
  uncoverStory(tx, publicId);
  tx.past = null;
  for (const [id, address] of wanted) {
    const key = resolve(tx.db, { id, address });
    run(tx.db, 'INSERT INTO coverage (story, id, address, key) VALUES (?, ?, ?, ?)', publicId, id, address, key);
    refold(tx, key);
  }
}

export function uncoverStory(tx: Tx, publicId: string): void {
  for (const { key } of rows<Covered>(tx.db, OF_STORY, publicId)) refold(tx, key);
  run(tx.db, 'DELETE FROM coverage WHERE story = ?', publicId);
}

export function hasCoverage(db: Db): boolean {
  return value<number>(db, 'SELECT 1 FROM coverage LIMIT 1') !== undefined;
}

/** Call it when an item is new, or has another key or link: it may now be older or newer than others with its address. */
export function coverItem(tx: Tx, { key, id, link: original }: NamedItem): void {
  relink(tx, [...coveredBy(tx.db, key), ...rows<Covered>(tx.db, WITH_ID, id)]);
  const address = articleAddress(original);
  if (address === null) return;
  for (const covered of rows<Covered>(tx.db, WITH_ADDRESS, address)) {
    const isOlder = covered.key === null || key < covered.key;
    if (isOlder && keyOf(tx.db, covered.id) === undefined) link(tx, covered, key);
  }
}

export function coveredBy(db: Db, key: number): Covered[] {
  return rows<Covered>(db, WITH_KEY, key);
}

/** Call it after an item is deleted, with what it covered. */
export function relink(tx: Tx, covered: readonly Covered[]): void {
  for (const one of covered) link(tx, one, resolve(tx.db, one));
}

export function coveredItems(db: Db, publicId: string): Map<string, CoveredItem> {
  const found = rows<CoveredItem & { report: string }>(db, ITEMS, publicId);
  return new Map(found.map(({ report, ...item }) => [report, item]));
}

/** It follows in each transaction; this reads all stories again, for a repair and other rules of addresses. */
export const coverage: Derived = {
  version: () => String(RULES),
  restart: (tx) => {
    run(tx.db, 'DELETE FROM coverage');
    run(tx.db, 'DELETE FROM fold');
    tx.past = null;
  },
  step: (tx, { at }) => {
    const stories = rows<{ rowid: number; body: string }>(tx.db, STORIES_AFTER, at, STEP_STORIES);
    for (const { body } of stories) readOrNull(tx.db, () => coverStory(tx, JSON.parse(body) as Story));
    const last = stories.at(-1);
    return last ? after(last.rowid) : null;
  },
};

function resolve(db: Db, { id, address }: Pick<Covered, 'id' | 'address'>): number | null {
  return keyOf(db, id) ?? (address === null ? null : (itemsAt(db, address)[0]?.key ?? null));
}

function keyOf(db: Db, id: string): number | undefined {
  return value<number>(db, 'SELECT key FROM item WHERE id = ?', id);
}

function link(tx: Tx, { story, id, key: before }: Covered, key: number | null): void {
  if (key === before) return;
  run(tx.db, 'UPDATE coverage SET key = ? WHERE story = ? AND id = ?', key, story, id);
  tx.refold.add(story);
  for (const one of [before, key]) refold(tx, one);
}

function refold({ db, refold: stories }: Tx, key: number | null): void {
  if (key === null) return;
  for (const story of values<string>(db, 'SELECT story FROM coverage WHERE key = ?', key)) stories.add(story);
}

/** Returns null for the front page of a site. */
export function articleAddress(original: string | null): string | null {
  const address = canonicalAddress(original);
  return address === null || /^https:\/\/[^/?]*$/.test(address) ? null : address;
}

/** Bits of lists in which a newer report of the same story stands for an item. */
const FOLDED_IN = { all: 1, selected: 2 } as const;
const IN_CATEGORY = 4;

export function foldBit({ scope, category }: Pick<ItemsQuery, 'scope' | 'category'>): number {
  return FOLDED_IN[scope] * (category === undefined ? 1 : IN_CATEGORY);
}

/** Filtered lists show every item, because a folded row would hide a match. */
export function foldsStories({ foldStories, state, source, text, saved, muted }: ItemsQuery): boolean {
  if (state !== 'any' || source !== undefined || saved !== undefined || muted) return false;
  return foldStories === true && !text?.trim();
}

interface Member {
  key: number;
  category: string | null;
  selected: number;
}

interface Fold {
  key: number;
  bits: number;
}

/** Call it at the end of a transaction, for the stories of `tx.refold`. */
export function saveFolds({ db, refold }: Tx): void {
  if (refold.size === 0) return;
  const stories = [...refold];
  refold.clear();
  const changed = stories.flatMap((story) => {
    const before = rows<Fold>(db, 'SELECT key, bits FROM fold WHERE story = ? ORDER BY key DESC', story);
    const wanted = foldsOf(membersOf(db, story));
    return JSON.stringify(before) === JSON.stringify(wanted) ? [] : [{ story, before, wanted }];
  });
  // An item may change stories: all leave before any enters.
  for (const { before } of changed) for (const { key } of before) run(db, 'DELETE FROM fold WHERE key = ?', key);
  for (const { story, wanted } of changed)
    for (const { key, bits } of wanted)
      run(db, 'INSERT INTO fold (key, story, bits) VALUES (?, ?, ?)', key, story, bits);
}

function membersOf(db: Db, story: string): Member[] {
  return rows<Member>(
    db,
    `SELECT DISTINCT key, category, generation > 0 AS selected FROM coverage CROSS JOIN item_index USING (key)
     WHERE story = ? AND muted = 0 AND NOT EXISTS (SELECT 1 FROM coverage AS other WHERE other.key = coverage.key AND other.story < ?)
     ORDER BY key DESC`,
    story,
    story,
  );
}

function foldsOf(newestFirst: readonly Member[]): Fold[] {
  if (newestFirst.length < 2) return [];
  const seen = new Set<string>();
  const isLater = (list: string): boolean => seen.has(list) || !seen.add(list);
  return newestFirst.map(({ key, category, selected }) => {
    let bits = 0;
    for (const scope of selected ? (['all', 'selected'] as const) : (['all'] as const)) {
      if (isLater(scope)) bits |= foldBit({ scope });
      if (category !== null && isLater(`${scope} ${category}`)) bits |= foldBit({ scope, category });
    }
    return { key, bits };
  });
}
