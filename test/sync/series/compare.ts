import { expect } from 'vitest';
import type { Counts, ItemRow, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { ViewCount } from '../../../src-main/contract/model/search.ts';
import { EVERYTHING } from '../../support/selected-set.ts';
import type { NaiveItem } from './naive-mirror.ts';
import type { Scene } from './scene.ts';

/** Counting the results of a search stops here. */
const MOST_COUNTED = 1_000;

/** The sidebar's numbers. */
export function compareCounts({ mirror, engine }: Scene): void {
  const { items } = engine().queries;
  const isUnread = ([id]: [string, unknown]): boolean => mirror.statusOf(id).readAt === null;
  const count = (of: [string, unknown][]): ViewCount => ({ total: of.length, unread: of.filter(isUnread).length });
  const all = [...mirror.items];
  const selected = all.filter(([, { inSet }]) => inSet);
  const starred = mirror.list({ ...EVERYTHING, state: 'starred' }, 0);
  const saved = starred.filter(([, item]) => item !== null);
  const byCategory = (of: [string, NaiveItem][], category: string | null) =>
    count(of.filter(([, { served }]) => served.category === category));
  const categories = [...new Set(all.map(([, { served }]) => served.category))].map((category) => ({
    category,
    selected: byCategory(selected, category),
    all: byCategory(all, category),
  }));
  const expected: Counts = {
    selected: count(selected),
    all: count(all),
    // Only the star is left of an item that is not here.
    starred: { total: starred.length, unread: count(saved).unread },
    muted: { total: 0, unread: 0 },
    saved: [],
    categories,
  };
  expect(sorted(items.counts())).toEqual(sorted(expected));
}

function sorted(counts: Counts): Counts {
  const name = ({ category }: Counts['categories'][number]): string => category ?? '';
  return { ...counts, categories: counts.categories.toSorted((a, b) => (name(a) < name(b) ? -1 : 1)) };
}

/** One list, read in pages of `limit`, and the number of its items. */
export function compareList({ mirror, engine, clock }: Scene, query: ItemsQuery, limit: number): void {
  const expected = mirror.list(query, clock.now()).map(([id]) => id);
  expect(
    rowsOf(engine(), query, limit, clock.now()).map(({ id }) => id),
    JSON.stringify(query),
  ).toEqual(expected);
  const isCapped = (query.text?.trim() ?? '') !== '' && expected.length > MOST_COUNTED;
  const count = isCapped ? { count: MOST_COUNTED, atLeast: true } : { count: expected.length };
  expect(engine().queries.items.count(query, clock.now()), JSON.stringify(query)).toEqual(count);
}

/** Every row with everything it shows, and the followed and starred stories. */
export function compareAll(scene: Scene): void {
  const { mirror, engine, clock, stories } = scene;
  const rows = [...rowsOf(engine(), EVERYTHING, 500, clock.now())].map(shown);
  expect(rows).toEqual(mirror.list(EVERYTHING, clock.now()).map(([id, item]) => expectedRow(scene, id, item)));
  const starred: ItemsQuery = { ...EVERYTHING, state: 'starred' };
  const stars = rowsOf(engine(), starred, 500, clock.now()).filter(({ id }) => !mirror.items.has(id));
  expect(stars.map(({ id, withdrawnAt, effectiveAt }) => [id, withdrawnAt, effectiveAt])).toEqual(
    mirror
      .list(starred, clock.now())
      .filter(([, item]) => item === null)
      .map(([id]) => [id, asTime(mirror.lastWithdrawal(id, 'at')), asTime(mirror.starTimes.get(id))]),
  );
  for (const [which, field] of [['followed', 'followedAt'] as const, ['starred', 'starredAt'] as const]) {
    const lines = engine().queries.stories.list(which);
    const found = lines.map((line) => ({ id: line.publicId, title: line.title, at: Date.parse(line[field] ?? '') }));
    expect(
      found.sort((a, b) => (a.id < b.id ? -1 : 1)),
      which,
    ).toEqual(stories.list(field));
  }
}

function expectedRow({ mirror }: Scene, id: string, item: NaiveItem | null): unknown {
  if (!item) throw new Error(`${id} is not in this list.`);
  const { readAt, starredAt } = mirror.statusOf(id);
  return {
    ...item.served,
    inSelectedSet: item.inSet,
    effectiveAt: asTime(item.time),
    revisedAt: asTime(item.revisedAt),
    leftSelectionAt: asTime(item.departure?.at),
    state: { readAt: asTime(readAt), starredAt: asTime(starredAt) },
  };
}

function shown(row: ItemRow): unknown {
  const { snippets: _snippets, models: _models, withdrawnAt: _withdrawn, extra: _extra, ...rest } = row;
  return rest;
}

function asTime(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}

/** All pages; items of the same second in order of their ids, because any order of theirs is right. */
function rowsOf({ queries }: ReturnType<Scene['engine']>, query: ItemsQuery, limit: number, now: number): ItemRow[] {
  const rows: ItemRow[] = [];
  let cursor: string | undefined;
  do {
    const page = queries.items.page(query, cursor, limit, now);
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  const times = rows.map(({ effectiveAt }) => effectiveAt);
  expect(times, 'newest first').toEqual(times.toSorted().reverse());
  return rows.sort((a, b) => (a.effectiveAt === b.effectiveAt ? (a.id < b.id ? -1 : 1) : 0));
}
