import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { runProgram } from '../../../src-main/node/program.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { hearShell } from '../shells.ts';

it('writes, shows, lists and removes notes on the command line', { timeout: 60_000 }, async () => {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 2 } });
  onTestFinished(() => service.close());
  const data = temporaryFolder();
  const run = async (...args: string[]) => {
    const { shell, out, err } = hearShell({ BROADSHEET_NEWS_URL: service.newsAddress, BROADSHEET_DATA: data });
    const code = await runProgram(args, '1.2.3', shell);
    return { code, out: out(), err: err() };
  };
  await run('sync');
  const [item] = jsonLines<{ id: string; title: string }>((await run('list', 'items', '--limit', '1', '--json')).out);
  const id = item?.id ?? '';
  const long = `看 价格\n${'x'.repeat(400)}`;
  expect(await run('note', 'set', 'item', id, long)).toEqual({ code: 0, out: 'Note saved\n', err: '' });
  await run('note', 'set', 'report', 'daily/2026-11-20', 'A day');
  expect((await run('note', 'get', 'item', id)).out).toBe(`${long}\n`);
  const listed = jsonLines<object>((await run('list', 'notes', '--json')).out);
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
