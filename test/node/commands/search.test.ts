import { expect, it } from 'vitest';
import { openHome } from '../home.ts';

interface Hit {
  kind: string;
  id: string;
  title: string;
  snippet: string | null;
  at: string | null;
}

it('searches items, stories, reports and models on the command line', async () => {
  const { run, lines } = await openHome({ content: { selected: 40, unselected: 20, days: 3 } });
  expect(await run('search', '模型')).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('sync') as string,
  });
  await run('sync');
  const found = await lines<Hit>('search', '模型', '--limit', '3');
  expect(await run('search', 'the', 'model')).toEqual(await run('search', 'the model'));
  const kinds = new Set(found.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['items', 'reports']));
  for (const hit of found) expect(Object.keys(hit)).toEqual(['kind', 'id', 'title', 'snippet', 'at']);
  const reports = await lines<Hit>('search', 'is:unread', '--in', 'reports');
  expect(reports.length).toBeGreaterThan(0);
  expect(reports.every(({ kind, id }) => kind === 'reports' && /^(daily|weekly|monthly)\//.test(id))).toBe(true);
  const models = await lines<Hit>('search', 'model', '--in', 'models,stories');
  expect(models.every(({ kind }) => kind === 'models' || kind === 'stories')).toBe(true);

  const [noted] = await lines<{ id: string }>('list', 'items', '--limit', '1');
  expect(await run('note', 'set', 'item', noted?.id ?? '', 'Ask about the 推理模型 price')).toMatchObject({ code: 0 });
  const notes = await lines<Hit>('search', '推理 price', '--in', 'notes');
  expect(notes).toMatchObject([
    { kind: 'notes', id: `item/${noted?.id ?? ''}`, snippet: 'Ask about the 推理模型 price' },
  ]);

  const all = await lines<{ id: string; score: number | null }>('list', 'items');
  const good = await lines<{ id: string }>('list', 'items', '--query', 'score:>80');
  expect(good.map(({ id }) => id)).toEqual(all.filter(({ score }) => (score ?? 0) > 80).map(({ id }) => id));
  expect((await run('list', 'items', '--query', 'is:purple')).err).toContain('is:purple: no such value');
  const words = await run('search', '模型 colour:red OR 模型', '--in', 'items', '--limit', '1');
  expect(words.out).toMatch(/^items: \d+, the first 1\n {2}\d{4}-\d\d-\d\d /);
  expect(words.err).toContain('colour:red: there is no such operator');
  const excluded = '-模型: it only leaves words out, which finds nothing: add a word that must be there.\n';
  expect(await run('search', '--json', '--', '-模型')).toEqual({
    code: 0,
    out: '',
    err: `${excluded}Nothing found.\n`,
  });
  const unsaved = await run('saved', 'add', '--', 'Mine', '-模型');
  expect([unsaved.code, unsaved.err]).toEqual([
    2,
    expect.stringContaining('Add a word, a source or a category that must be there.'),
  ]);
  expect(await run('search', 'nothing-like-that', '--json')).toEqual({ code: 0, out: '', err: 'Nothing found.\n' });
  expect(await run('search', 'x', '--in', 'items,pictures')).toMatchObject({ code: 2 });
  expect(await run('search')).toMatchObject({ code: 2 });
});
