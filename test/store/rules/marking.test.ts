import { expect, it } from 'vitest';
import { item } from '../../support/items.ts';
import { EVERYTHING, idsOf, storeListed } from '../../support/store.ts';
import { openStoreScene } from '../internals.ts';

const HOUR = 3_600_000;

function openMarkingScene() {
  const scene = openStoreScene();
  const { store, queries, clock } = scene;
  const aged = (id: string, title: string, hours = 0) =>
    item({ id, title, discoveredAt: new Date(clock.now() - hours * HOUR).toISOString() });
  const add = (name: string, query: string, marks: 'read' | 'star' | null) =>
    store.transaction(({ rules, now }) => rules.addSaved({ name, query, notify: false, marks }, now));
  const unread = () => idsOf(queries, { ...EVERYTHING, state: 'unread' }, clock.now());
  const starred = () => idsOf(queries, { ...EVERYTHING, state: 'starred' }, clock.now());
  return { ...scene, aged, add, unread, starred };
}

it('a saved search can mark new items as read or star them, and leaves those from before it', () => {
  const { store, queries, clock, index, aged, add, unread, starred } = openMarkingScene();
  storeListed(store, [aged('there', 'Funding of a lab')]);
  const funding = add('Funding', 'funding', 'read');
  add('Papers', 'paper', 'star');
  while (store.derive('rules'));
  expect(unread()).toEqual(['there']);
  clock.advance(HOUR);
  storeListed(store, [
    aged('money', 'More funding'),
    aged('paper', 'A paper'),
    aged('both', 'A paper on funding'),
    // A backfill brings it.
    aged('late', 'Funding of old', 5),
    aged('other', 'Weather'),
  ]);
  index();
  expect(unread().toSorted()).toEqual(['late', 'other', 'paper', 'there']);
  expect(starred().toSorted()).toEqual(['both', 'paper']);
  expect(queries.items.counts(clock.now()).all).toEqual({ total: 6, unread: 4 });

  store.transaction(({ rules }) => {
    rules.changeSaved(funding, { marks: null });
  });
  clock.advance(HOUR);
  storeListed(store, [aged('later', 'Funding again')]);
  expect(unread()).toContain('later');
});

it('what the reader did stays, though an item comes again or enters another list', () => {
  const { store, clock, aged, add, unread, starred } = openMarkingScene();
  add('Papers', 'paper', 'star');
  add('Funding', 'funding', 'read');
  while (store.derive('rules'));
  clock.advance(HOUR);
  storeListed(store, [aged('paper', 'A paper'), aged('money', 'Funding')]);
  clock.advance(HOUR);
  store.transaction(({ statuses, now }) => {
    statuses.mark(['paper'], 'unstar', now);
    statuses.mark(['money'], 'unread', now);
  });
  storeListed(store, [
    { ...aged('paper', 'A paper'), category: 'paper' },
    { ...aged('money', 'Funding'), category: 'industry' },
  ]);
  expect(starred()).toEqual([]);
  expect(unread().toSorted()).toEqual(['money', 'paper']);
});
