import { expect, it } from 'vitest';
import { item } from '../../support/items.ts';
import { EVERYTHING, idsOf, storeListed } from '../../support/store.ts';
import { openStoreScene } from '../internals.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

it('a saved search for the last 7 days shows, counts and notifies of those, however late it is opened', () => {
  const { store, queries, index, clock } = openStoreScene();
  const aged = (id: string, days: number) =>
    item({ id, title: 'A model', discoveredAt: new Date(clock.now() - days * DAY - HOUR).toISOString() });
  storeListed(store, [aged('today', 0), aged('older', 5), aged('oldest', 9), { ...aged('other', 0), title: 'B' }]);
  const saved = store.transaction(({ rules, now }) =>
    rules.addSaved({ name: 'Models', query: 'model after:7d', notify: true }, now),
  );
  index();
  while (store.derive('rules'));
  const shown = () => idsOf(queries, { ...EVERYTHING, saved }, clock.now());
  const counted = () => queries.items.counts(clock.now()).saved;
  expect(shown()).toEqual(['today', 'older']);
  expect(idsOf(queries, { ...EVERYTHING, text: 'model after:7d ' }, clock.now())).toEqual(shown());
  clock.advance(4 * DAY);
  expect(shown()).toEqual(['today']);
  expect(counted()).toEqual([{ id: saved, total: 1, unread: 1 }]);
  expect(queries.rules.savedSearches(clock.now())).toMatchObject([{ count: { total: 1, unread: 1 } }]);
  const before = queries.mirror.number('sequence');
  storeListed(store, [aged('new', 0), aged('late', 8)]);
  const [found] = queries.notifications.newInSearches(queries.mirror.get('source') ?? '', before, clock.now());
  expect(found?.items).toEqual(['new']);
  expect(shown()).toEqual(['new', 'today']);
});

it('saved searches are moved to any place, and a new one is the last', () => {
  const { store, queries, clock } = openStoreScene();
  const add = (name: string): string =>
    store.transaction(({ rules, now }) => rules.addSaved({ name, query: 'model', notify: false }, now));
  const first = add('One');
  add('Two');
  const third = add('Three');
  store.transaction(({ rules }) => rules.moveSaved(third, 0));
  add('Four');
  const names = () => queries.rules.savedSearches(clock.now()).map(({ name }) => name);
  expect(names()).toEqual(['Three', 'One', 'Two', 'Four']);
  store.transaction(({ rules }) => rules.moveSaved(third, 1));
  store.transaction(({ rules }) => rules.moveSaved(first, 1_000));
  expect(names()).toEqual(['Three', 'Two', 'Four', 'One']);
  expect(() => store.transaction(({ rules }) => rules.moveSaved('unknown', 0))).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});
