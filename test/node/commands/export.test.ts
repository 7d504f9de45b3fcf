import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DemoContent } from '../../../src-main/demo/service.ts';
import { servedReport, TWELVE_DAYS } from '../../support/reports.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { checkPage } from '../../support/exported-page.ts';
import { openOnce, type AtEnd } from '../../support/open-once.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { jsonLines, startCli } from '../child.ts';
import { runHere } from '../shells.ts';

async function archive(
  atEnd: AtEnd = onTestFinished,
  { content, start }: { content: DemoContent; start: string } = TWELVE_DAYS,
): Promise<TestApp> {
  const app = await openTestApp({ content, start, folder: 'temporary', atEnd });
  await app.call('sync.run', { urgency: 'now', resources: ['dailies', 'weeklies', 'monthlies'] });
  return app;
}

/** For all tests that change nothing at the service. */
const standing = openOnce((atEnd) => archive(atEnd));

async function run(app: TestApp, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return runHere([...args, '--data', app.folder]);
}

const filesIn = async (folder: string): Promise<string[]> => (await readdir(folder)).sort();

describe('exported reports', () => {
  it('are written to separate files, and unchanged files are skipped', async () => {
    const app = standing();
    const out = path.join(temporaryFolder(), 'made', 'here');
    const first = await run(app, 'export', 'daily', '--all', '--format', 'md', '--out', out);
    expect(first).toMatchObject({ code: 0, out: `12 files written, 0 unchanged, in ${out}\n` });
    expect(first.err.split('\n')[0]).toBe('1/12 daily-2026-03-05.md');
    expect(await filesIn(out)).toHaveLength(12);
    await writeFile(path.join(out, 'daily-2026-03-05.md'), 'an older one');
    const again = await run(app, 'export', 'daily', '--all', '--format', 'md', '--out', out, '--json');
    expect(jsonLines(again.out)).toEqual([{ folder: out, written: 1, unchanged: 11, missing: 0, stopped: false }]);
    expect(again.err).toContain('2/12 daily-2026-03-04.md (unchanged)');
  });

  it.skipIf(process.platform === 'win32')('are private, and keep the mode that a reader gave a file', async () => {
    const app = standing();
    const out = temporaryFolder();
    const exported = () => run(app, 'export', 'daily', '2026-03-05', '--format', 'md', '--out', out);
    await exported();
    const file = path.join(out, 'daily-2026-03-05.md');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, 'an older one');
    await chmod(file, 0o644);
    expect(await exported()).toMatchObject({ code: 0, out: `1 file written, 0 unchanged, in ${out}\n` });
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  it.each([
    ['weekly', '2026-W09', '/weeklies/2026-W09'],
    ['monthly', 'latest', '/monthlies/latest'],
    ['daily', '2026-03-01', '/dailies/2026-03-01'],
  ])('of a %s contain all fields of the service, as JSON', async (kind, key, where) => {
    const app = standing();
    const out = temporaryFolder();
    expect(await run(app, 'export', kind, key, '--format', 'json', '--out', out)).toMatchObject({ code: 0 });
    const [name] = await filesIn(out);
    const exported = JSON.parse(await readFile(path.join(out, name!), 'utf8')) as { report: unknown };
    expect(exported.report).toEqual(await servedReport(app, where));
  });

  it("include attribution, the service’s page and the user's language", async () => {
    const app = standing();
    await app.call('settings.set', { patch: { language: 'zh-CN' } });
    onTestFinished(async () => {
      await app.call('settings.set', { patch: { language: 'en' } });
    });
    const render = async () =>
      (await app.call('reports.render', { kind: 'weekly', label: '2026-W09', format: 'html' })).text;
    const document = checkPage(await render());
    const report = await servedReport(app, '/weeklies/2026-W09');
    const footer = document.querySelector('footer');
    expect([...(footer?.querySelectorAll('a') ?? [])].map(({ href }) => href)).toContain(
      (report['links'] as { aihot: string }).aihot,
    );
    expect(footer?.textContent).toContain('Broadsheet demo');
    expect(document.documentElement.lang).toBe('zh-CN');
    expect(document.querySelector('.kicker')?.textContent).toBe('周报 2026-W09');
    for (const { items } of report.sections) {
      for (const { title } of items) expect(document.body.textContent).toContain(title);
    }
  });

  it('of the latest one are not those of a label that the calendar has not reached', async () => {
    const app = await archive();
    await app.core.close();
    const database = new Database(path.join(app.folder, 'mirror.db'));
    database.exec(`INSERT INTO document (kind, id, changed, fetched_at, head, body)
      SELECT kind, '9999-12-31', changed, fetched_at, replace(head, id, '9999-12-31'), replace(body, id, '9999-12-31')
      FROM document WHERE kind = 'daily' AND id = '2026-03-05'`);
    database.close();
    const out = temporaryFolder();
    expect(await run(app, 'export', 'daily', 'latest', '--format', 'md', '--out', out)).toMatchObject({ code: 0 });
    expect(await filesIn(out)).toEqual(['daily-2026-03-05.md']);
    expect(jsonLines((await run(app, 'show', 'daily', 'latest', '--json')).out)).toMatchObject([
      { label: '2026-03-05' },
    ]);
  });

  it('need a folder, a format and one report', async () => {
    const app = standing();
    const out = temporaryFolder();
    const rest = ['--format', 'md', '--out', out];
    for (const args of [
      ['export', 'daily', ...rest],
      ['export', 'daily', '2026-03-05', '--all', ...rest],
      ['export', 'yearly', '--all', ...rest],
      ['export', 'daily', '--all', '--format', 'pdf', '--out', out],
      ['export', 'daily', '--all', '--out', out],
      ['export', 'daily', '--all', '--format', 'md'],
      ['export', 'daily', '../../../x', ...rest],
    ]) {
      expect(await run(app, ...args), args.join(' ')).toMatchObject({ code: 2, out: '' });
    }
    expect(await run(app, 'export', 'daily', '2020-01-01', ...rest)).toMatchObject({ code: 1, out: '' });
    expect(await filesIn(out)).toEqual([]);
  });

  it('fail if the folder cannot be created, and list reports that are not downloaded', async () => {
    const app = standing();
    const file = path.join(temporaryFolder(), 'file');
    await writeFile(file, '');
    const refused = await run(app, 'export', 'daily', '--all', '--format', 'md', '--out', path.join(file, 'x'));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/Cannot create the folder .*: a file is where a folder should be/);
    const endless = path.join(path.dirname(file), 'endless');
    await symlink(endless, endless);
    const circular = await run(app, 'export', 'daily', '--all', '--format', 'md', '--out', endless);
    expect(circular.err).toContain(`${endless} leads through links that never end. Choose another name.`);
    const young = await openTestApp({ content: { selected: 120, days: 40 }, folder: 'temporary' });
    await young.call('sync.run', { urgency: 'due', resources: ['dailies'] });
    const partly = await run(young, 'export', 'daily', '--all', '--format', 'md', '--out', temporaryFolder());
    expect(partly.code).toBe(1);
    expect(partly.err).toMatch(/\d+ listed dailies have not been downloaded yet/);
  });

  it('of three months are complete after a kill, and the next run continues', async () => {
    const app = await archive(onTestFinished, {
      content: { selected: 270, unselected: 0, days: 90 },
      start: '2026-03-18T06:30:00Z',
    });
    const { lines } = await app.call('reports.index', { kind: 'daily' });
    expect(lines.filter(({ stored }) => stored)).toHaveLength(90);
    const out = temporaryFolder();
    const args = ['export', 'daily', '--all', '--format', 'html', '--out', out, '--data', app.folder];
    const { child, ended } = startCli(args);
    let output = '';
    child.stderr.on('data', (text: string) => {
      output += text;
      if (output.includes('10/90')) child.kill('SIGKILL');
    });
    expect((await ended).code).toBeNull();
    const halfway = (await filesIn(out)).filter((name) => name.endsWith('.html'));
    expect(halfway.length).toBeLessThan(90);
    for (const name of halfway) expect((await readFile(path.join(out, name), 'utf8')).endsWith('</html>\n')).toBe(true);
    // As if killed in the middle of a file.
    await mkdir(out, { recursive: true });
    await writeFile(
      path.join(out, `.daily-${lines[80]!.label}.html.${String(child.pid)}-0123456789abcdef.unfinished`),
      '<!doctype ht',
    );
    const after = await run(app, ...args.slice(0, -2), '--json');
    expect(after.code).toBe(0);
    expect(jsonLines(after.out)).toMatchObject([{ written: 90 - halfway.length, unchanged: halfway.length }]);
    expect(await filesIn(out)).toEqual(
      lines
        .slice(0, 90)
        .map(({ label }) => `daily-${label}.html`)
        .sort(),
    );
    for (const name of await filesIn(out))
      expect((await readFile(path.join(out, name), 'utf8')).endsWith('</html>\n'), name).toBe(true);
  });
});

describe('reports on the command line', () => {
  it('are listed and shown with the service’s field names, all equal', async () => {
    const app = standing();
    for (const [list, show, paths, label] of [
      ['dailies', 'daily', '/dailies', 'date'],
      ['weeklies', 'weekly', '/weeklies', 'week'],
      ['monthlies', 'monthly', '/monthlies', 'month'],
    ] as const) {
      const index = await fetch(`${app.service.newsAddress}/api/v1${paths}`);
      const { items } = (await index.json()) as { items: Record<string, string>[] };
      const listed = jsonLines((await run(app, 'list', list, '--json')).out);
      expect(listed).toMatchObject(items);
      for (const item of items) {
        const [shown] = jsonLines<object>((await run(app, 'show', show, item[label]!, '--json')).out);
        expect(shown).toMatchObject(await servedReport(app, `${paths}/${item[label]!}`));
      }
      expect((await run(app, 'show', show, 'latest')).out).toContain(items[0]![label]);
    }
  });

  it('are listed as text, with read state, corrections and missing reports', async () => {
    const app = standing();
    await app.call('reports.mark', { kind: 'weekly', label: '2026-W10', read: true });
    const { out } = await run(app, 'list', 'weeklies');
    expect(out.split('\n').map((line) => line.slice(0, 10))).toEqual(['  2026-W10', 'o 2026-W09', 'o 2026-W08', '']);
    expect((await run(app, 'list', 'weeklies', '--unread', '--limit', '1')).out).toMatch(/^o 2026-W09 {3}.+\n$/);
    expect((await run(app, 'list', 'weeklies', '--query', 'x')).code).toBe(2);
    expect((await run(app, 'show', 'daily', '2020-01-01')).code).toBe(1);
  });
});
