import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../support/folders.ts';
import { EVERYTHING } from '../../support/selected-set.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { runHere } from '../shells.ts';

const STAR = 'Open weights: "smaller", faster';

/** Two starred items, of which one has a note, and a note about a report. */
async function reader() {
  const app = await openTestApp({ content: { selected: 3, unselected: 2 }, folder: 'temporary' });
  const starred = app.service.control.addItem({ title: STAR, category: 'paper' });
  await app.call('sync.run', { urgency: 'now', resources: ['items', 'selected'] });
  const { rows } = await app.call('items.page', { query: EVERYTHING, limit: 10 });
  const noted = rows.find(({ id }) => id !== starred.id);
  const ids = [starred.id, noted?.id ?? ''];
  await app.call('items.mark', { ids, mark: 'star' });
  await app.call('notes.set', { kind: 'item', id: ids[1] ?? '', text: 'See [[Benchmarks]].\n\n- once more' });
  await app.call('notes.set', { kind: 'report', id: 'daily/2026-11-20', text: 'A day <img src=x>' });
  const out = path.join(temporaryFolder(), 'notes');
  return { app, ids, out, write: (...args: string[]) => vault(app, out, ...args) };
}

const vault = (app: TestApp, out: string, ...args: string[]) =>
  runHere(['export', 'vault', '--out', out, '--data', app.folder, ...args]);

async function filesIn(out: string): Promise<Record<string, string>> {
  const names = (await readdir(out)).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(out, name), 'utf8')));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']));
}

const fileOf = (files: Record<string, string>, id: string): [string, string] =>
  Object.entries(files).find(([, text]) => text.includes(`\nid: "${id}"\n`)) ?? ['', ''];

describe('a vault', () => {
  it('has a file for each starred item and each note, and is written again without a change', async () => {
    const { ids, out, write } = await reader();
    expect(await write()).toEqual({ code: 0, out: `3 files written, 0 unchanged, in ${out}\n`, err: '' });
    const files = await filesIn(out);
    const [name, text] = fileOf(files, ids[0] ?? '');
    expect(name).toMatch(/^Open weights smaller , faster [0-9a-f]{8}\.md$/);
    const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
    expect(parse(head)).toMatchObject({ title: STAR, category: 'paper', starred: true, kind: 'item', id: ids[0] });
    expect(body).toContain(`# [${STAR}](<https://`);
    expect(fileOf(files, ids[1] ?? '')[1]).toContain('\n## Note\n\nSee [[Benchmarks]].\n\n- once more\n');
    expect(fileOf(files, 'daily/2026-11-20')[1]).toContain('A day \\<img src=x>');

    expect(await write()).toMatchObject({ out: `0 files written, 3 unchanged, in ${out}\n` });
    expect(await filesIn(out)).toEqual(files);
  });

  it('follows changes in Broadsheet, in files that were renamed too, and leaves what a person changed', async () => {
    const { app, ids, out, write } = await reader();
    await write();
    const [mine] = fileOf(await filesIn(out), ids[0] ?? '');
    const [other, text] = fileOf(await filesIn(out), ids[1] ?? '');
    await writeFile(path.join(out, mine), 'my words\n', { flag: 'a' });
    // As git and editors of Windows do.
    await writeFile(path.join(out, other), text.replaceAll('\n', '\r\n'));
    await rename(path.join(out, other), path.join(out, 'Another name.md'));
    await app.call('notes.set', { kind: 'item', id: ids[0] ?? '', text: 'Newer' });
    await app.call('notes.set', { kind: 'item', id: ids[1] ?? '', text: 'Newer' });
    await app.call('notes.remove', { kind: 'report', id: 'daily/2026-11-20' });
    const done = await write();
    expect(done).toMatchObject({ code: 0, out: `1 file written, 0 unchanged, in ${out}\n` });
    expect(done.err).toBe(
      `Changed by you, left as they are: ${mine}.\nWithout a star or note now, left as they are: 1 file.\n`,
    );
    const files = await filesIn(out);
    expect(Object.keys(files)).toHaveLength(3);
    expect(files['Another name.md']).toContain('## Note\n\nNewer\n');
    expect(files[mine]?.endsWith('my words\n')).toBe(true);
    expect(files[mine]).not.toContain('Newer');
  });

  it('takes no file of another kind for its own, and follows no link out of the folder', async () => {
    const { ids, out, write } = await reader();
    await write();
    const [name] = fileOf(await filesIn(out), ids[0] ?? '');
    const outside = path.join(temporaryFolder(), 'diary.md');
    await rename(path.join(out, name), outside);
    const text = await readFile(outside, 'utf8');
    await symlink(outside, path.join(out, name));
    await writeFile(path.join(out, 'mine.md'), '---\ntitle: mine\n---\n');
    await mkdir(path.join(out, 'folder.md'));
    const done = await write();
    expect(done).toMatchObject({ code: 0, err: `Changed by you, left as they are: ${name}.\n` });
    expect(await readFile(outside, 'utf8')).toBe(text);
    expect(await readFile(path.join(out, 'mine.md'), 'utf8')).toBe('---\ntitle: mine\n---\n');
  });

  it('needs a folder that is not the data folder', async () => {
    const { app } = await reader();
    expect(await vault(app, '-')).toMatchObject({ code: 2, out: '' });
    expect(await vault(app, app.folder)).toMatchObject({ code: 1, out: '' });
    expect(await vault(app, 'x', '--format', 'md')).toMatchObject({ code: 2 });
  });
});
