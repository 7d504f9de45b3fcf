import { expect, it } from 'vitest';
import { item } from '../../support/items.ts';
import { mark, storeListed } from '../../support/store.ts';
import { openStoreScene } from '../internals.ts';

it('suggests operators and their values at the cursor, with the number of items', () => {
  const { store, queries } = openStoreScene();
  const from = (id: string, name: string | null, category: string | null = 'paper') =>
    item({ id, source: { name }, category });
  storeListed(store, [
    from('a', 'Eval Weekly'),
    from('b', 'Eval Weekly', 'tip'),
    from('c', '量子位', '类别 A'),
    from('d', null, null),
  ]);
  mark(store, ['a'], 'read');
  const at = (text: string, place = text.length): [string, number, number, number?][] =>
    queries.search
      .suggest(text, place)
      .map(({ insert, from: start, to, count }) =>
        count === undefined ? [insert, start, to] : [insert, start, to, count],
      );
  expect(at('gpt s')).toEqual([
    ['source:', 4, 5],
    ['score:', 4, 5],
  ]);
  expect(at('').map(([insert]) => insert)).toContain('category:');
  expect(at('gpt -is:un and more', 10)).toEqual([['is:unread ', 5, 10, 3]]);
  expect(at('is:r')).toEqual([['is:read ', 0, 4, 1]]);
  expect(at('is：')).toHaveLength(6);
  expect(at('has:n')).toEqual([['has:note ', 0, 5]]);
  expect(at('source:').map(([insert, , , count]) => [insert, count])).toEqual([
    ['source:"Eval Weekly" ', 2],
    ['source:"量子位" ', 1],
  ]);
  expect(at('x source:"eval w')).toEqual([['source:"Eval Weekly" ', 2, 16, 2]]);
  expect(at('source：量')).toEqual([['source:"量子位" ', 0, 8, 1]]);
  expect(at('category:论')).toEqual([['category:paper ', 0, 10, 1]]);
  expect(at('category:类')).toEqual([['category:"类别 A" ', 0, 10, 1]]);
  expect(at('before:2026')).toEqual([]);
  expect(at('"gpt')).toEqual([]);
  store.transaction(({ rules, now }) => rules.addMute('category:tip OR 量子位', now));
  while (store.derive('rules'));
  expect(at('source:').map(([insert, , , count]) => [insert, count])).toEqual([['source:"Eval Weekly" ', 1]]);
  store.transaction(({ rules }) => rules.removeMute(queries.rules.mutes()[0]?.id ?? ''));
  while (store.derive('rules'));
  // Each of them is understood.
  for (const [insert] of at('source:')) {
    expect(queries.search.find({ text: insert, in: ['items'], limit: 1, now: 0, owner: '' })).toMatchObject({
      groups: [{ count: insert.includes('Eval') ? 2 : 1 }],
      problems: [],
    });
  }
});
