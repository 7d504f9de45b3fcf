import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { runProgram } from '../../../src-main/node/program.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { hearShell } from '../shells.ts';

interface Hit {
  kind: string;
  id: string;
  title: string;
  snippet: string | null;
  at: string | null;
}

it('searches items, stories, reports and models on the command line', { timeout: 60_000 }, async () => {
  const service = await startDemoService({ clock: systemClock, content: { selected: 40, unselected: 20, days: 3 } });
  onTestFinished(() => service.close());
  const data = temporaryFolder();
  const run = async (...args: string[]) => {
    const { shell, out, err } = hearShell({
      BROADSHEET_NEWS_URL: service.newsAddress,
      BROADSHEET_MODELS_URL: service.modelsAddress,
      BROADSHEET_DATA: data,
    });
    const code = await runProgram(args, '1.2.3', shell);
    return { code, out: out(), err: err() };
  };
  expect(await run('search', '模型')).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('sync') as string,
  });
  await run('sync');
  const found = jsonLines<Hit>((await run('search', '模型', '--json', '--limit', '3')).out);
  expect(await run('search', 'the', 'model')).toEqual(await run('search', 'the model'));
  const kinds = new Set(found.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['items', 'reports']));
  for (const hit of found) expect(Object.keys(hit)).toEqual(['kind', 'id', 'title', 'snippet', 'at']);
  const reports = jsonLines<Hit>((await run('search', 'is:unread', '--in', 'reports', '--json')).out);
  expect(reports.length).toBeGreaterThan(0);
  expect(reports.every(({ kind, id }) => kind === 'reports' && /^(daily|weekly|monthly)\//.test(id))).toBe(true);
  const models = jsonLines<Hit>((await run('search', 'model', '--in', 'models,stories', '--json')).out);
  expect(models.every(({ kind }) => kind === 'models' || kind === 'stories')).toBe(true);

  const [noted] = jsonLines<{ id: string }>((await run('list', 'items', '--json', '--limit', '1')).out);
  expect(await run('note', 'set', 'item', noted?.id ?? '', 'Ask about the 推理模型 price')).toMatchObject({ code: 0 });
  const notes = jsonLines<Hit>((await run('search', '推理 price', '--in', 'notes', '--json')).out);
  expect(notes).toMatchObject([
    { kind: 'notes', id: `item/${noted?.id ?? ''}`, snippet: 'Ask about the 推理模型 price' },
  ]);

  const all = jsonLines<{ id: string; score: number | null }>((await run('list', 'items', '--json')).out);
  const good = jsonLines<{ id: string }>((await run('list', 'items', '--query', 'score:>80', '--json')).out);
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
