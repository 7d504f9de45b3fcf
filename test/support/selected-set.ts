import { expect } from 'vitest';
import type { Item, ItemRow, ItemsQuery } from '../../src-main/contract/model/item.ts';
import type { DemoControl, ServedItem } from '../../src-main/demo/service.ts';
import type { TestApp } from './test-app.ts';

export const SELECTED: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };
export const EVERYTHING: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

type Reader = Pick<TestApp, 'call'>;

/** All rows of a list, page by page, as the list shows them. */
export async function rowsOf({ call }: Reader, query: ItemsQuery): Promise<ItemRow[]> {
  const rows: ItemRow[] = [];
  let cursor: string | null = null;
  do {
    const page: { rows: ItemRow[]; next: string | null } = await call('items.page', {
      query,
      limit: 500,
      ...(cursor !== null && { cursor }),
    });
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

/** Fails unless the store has exactly the service's selected set: every id and every field except `reason`. */
export async function expectEqualSets(reader: Reader, control: DemoControl): Promise<void> {
  const stored = (await rowsOf(reader, SELECTED)).map(serviceFields).sort(byId);
  const served = control.selectedItems().map(asItem);
  expect(stored.map(({ id }) => id)).toEqual(served.map(({ id }) => id));
  expect(stored).toEqual(served);
}

function serviceFields(row: ItemRow) {
  const {
    inSelectedSet,
    effectiveAt: _time,
    leftSelectionAt,
    withdrawnAt,
    revisedAt: _revised,
    state: _state,
    models: _models,
    snippets: _snippets,
    ...item
  } = row;
  expect([inSelectedSet, leftSelectionAt, withdrawnAt]).toEqual([true, null, null]);
  return { ...item, reason: null };
}

const FIELDS = new Set(
  'id title originalTitle summary source links publishedAt discoveredAt category score selected attribution'.split(' '),
);

/** The expected stored form of an item: its fields, and unknown ones in `extra`. */
function asItem(served: ServedItem): Item {
  const extra = Object.entries(served).filter(([name]) => !FIELDS.has(name) && name !== 'reason');
  const known = Object.entries(served).filter(([name]) => FIELDS.has(name));
  return {
    ...Object.fromEntries(known),
    reason: null,
    extra: Object.fromEntries(extra),
  } as Item;
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
