import { expect, it } from 'vitest';
import { openSynced } from '../home.ts';

it('writes, shows, lists and removes notes on the command line', async () => {
  const { run, lines } = await openSynced({ content: { selected: 3, unselected: 2 } });
  const [item] = await lines<{ id: string; title: string }>('list', 'items', '--limit', '1');
  const id = item?.id ?? '';
  const long = `看 价格\n${'x'.repeat(400)}`;
  expect(await run('note', 'set', 'item', id, long)).toEqual({ code: 0, out: 'Note saved\n', err: '' });
  await run('note', 'set', 'report', 'daily/2026-11-20', 'A day');
  expect((await run('note', 'get', 'item', id)).out).toBe(`${long}\n`);
  const listed = await lines('list', 'notes');
  expect(listed).toMatchObject([
    { kind: 'report', id: 'daily/2026-11-20', text: 'A day' },
    { kind: 'item', id, text: long, title: item?.title },
  ]);
  expect((await run('list', 'notes')).out).toContain(`[item ${id}]`);
  // The news can be downloaded again, a note can't.
  expect((await run('data', 'rebuild')).code).toBe(0);
  expect((await run('note', 'get', 'item', id, '--json')).out).toContain('"changedAt"');
  expect((await run('note', 'remove', 'item', id)).out).toBe('Note removed\n');
  expect(await run('note', 'get', 'item', id)).toMatchObject({
    code: 1,
    err: 'broadsheet: There is no note about this item.\n',
  });
  expect(await run('note', 'set', 'report', 'yesterday', 'No')).toMatchObject({ code: 2 });
  expect(await run('note', 'set', 'item', id, ' ')).toMatchObject({ code: 2 });
  const mistyped = { code: 1, out: '', err: 'broadsheet: Not saved here: nope.\n' };
  expect(await run('note', 'set', 'item', 'nope', 'No')).toEqual(mistyped);
  expect((await run('list', 'notes')).out).not.toContain('nope');
});
