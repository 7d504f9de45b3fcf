import { execFile, execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { crc32, inflateSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI } from '../../support/built-node.ts';
import { checkAtom, checkJsonFeed, parseXml } from '../../support/feeds.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { TWELVE_DAYS } from '../../support/reports.ts';
import { EVERYTHING } from '../../support/selected-set.ts';
import { openOnce, type AtEnd } from '../../support/open-once.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

async function reader(atEnd: AtEnd = onTestFinished): Promise<TestApp> {
  const { content, start } = TWELVE_DAYS;
  const app = await openTestApp({ content, start, folder: 'temporary', atEnd });
  await app.call('sync.run', { urgency: 'now', resources: ['selected', 'dailies', 'weeklies'] });
  return app;
}

/** For all tests that change nothing at the service. */
const standing = openOnce(reader);

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

const run = (app: TestApp, ...args: string[]) => runHere(['export', ...args, '--data', app.folder]);

describe('exported items', () => {
  it('are one valid file in each format, replaced as a whole, with the mode of the one that they replace', async () => {
    const app = standing();
    const out = temporaryFolder();
    const file = path.join(out, 'news.xml');
    await writeFile(file, 'an older one');
    await chmod(file, 0o604);
    const done = await run(app, 'items', '--format', 'atom', '--out', file);
    expect(done).toEqual({ code: 0, out: `120 items written to ${file}\n`, err: '' });
    const { entries, updated } = checkAtom(await readFile(file, 'utf8'));
    expect(entries).toHaveLength(120);
    expect(updated).toBe(entries[0]?.updated);
    expect(await modeOf(file)).toBe(process.platform === 'win32' ? '666' : '604');
    expect(await readdir(out)).toEqual(['news.xml']);

    // Into a folder, under a name of its own.
    const json = await run(app, 'items', '--format', 'jsonfeed', '--limit', '7', '--out', out, '--json');
    const [told] = jsonLines(json.out) as [{ file: string }];
    expect(told).toEqual({ file: path.join(out, 'broadsheet.feed.json'), items: 7, left: 0 });
    if (process.platform !== 'win32') expect(await modeOf(told.file)).toBe('600');
    expect(checkJsonFeed(await readFile(told.file, 'utf8')).items.map(({ id }) => id)).toEqual(
      entries.slice(0, 7).map(({ id }) => id),
    );
    await run(app, 'items', '--format', 'csv', '--out', out);
    expect((await readFile(path.join(out, 'broadsheet-items.csv'), 'utf8')).split('\r\n')).toHaveLength(122);
    await run(app, 'items', '--format', 'md', '--out', out);
    expect((await readFile(path.join(out, 'broadsheet-items.md'), 'utf8')).match(/^## /gm)).toHaveLength(120);
  });

  it('are those of a query, a category and a saved search', async () => {
    const app = standing();
    const out = path.join(temporaryFolder(), 'feed.xml');
    const titles = async (...args: string[]): Promise<string[]> => {
      const done = await run(app, 'items', ...args, '--format', 'atom', '--out', out);
      expect(done.code).toBe(0);
      return checkAtom(await readFile(out, 'utf8')).entries.map(({ title }) => title);
    };
    const { rows } = await app.call('items.page', {
      query: { scope: 'all', window: 'any', state: 'any', category: 'paper' },
      limit: 500,
    });
    expect(await titles('--category', 'paper')).toEqual(rows.map(({ title }) => title.replace(/\s+/g, ' ').trim()));
    expect(await titles('--query', 'category:paper', '--limit', '2')).toHaveLength(2);
    await app.call('saved.add', { name: 'Reading list', query: 'category:paper' });
    expect(await titles('--saved', 'reading list')).toHaveLength(rows.length);
    expect(checkAtom(await readFile(out, 'utf8')).title).toBe('Broadsheet: Reading list');
    expect(await titles('--query', 'nothing-has-this-word')).toEqual([]);
    expect((await run(app, 'items', '--saved', 'Unknown', '--format', 'md', '--out', out)).code).toBe(1);
  });

  it('have nothing of withdrawn items, and say so', async () => {
    const app = await reader();
    const out = path.join(temporaryFolder(), 'starred.xml');
    const sync = async () => {
      app.clock.advance(3_600_000);
      await app.call('sync.run', { urgency: 'now', resources: ['items', 'selected'] });
    };
    // Within the seven days of the list of all items, which shows what was withdrawn.
    const [withdrawn, other] = [app.service.control.addItem(), app.service.control.addItem()];
    await sync();
    await app.call('items.mark', { ids: [withdrawn.id, other.id], mark: 'star' });
    app.service.control.withdraw(withdrawn.id);
    await sync();
    const done = await run(app, 'items', '--query', 'is:starred', '--format', 'atom', '--out', out);
    expect(done).toMatchObject({ code: 0, out: `1 item written to ${out}\n` });
    expect(done.err).toBe('Left out: 1 withdrawn item, of which no text is left.\n');
    expect(checkAtom(await readFile(out, 'utf8')).entries.map(({ title }) => title)).toEqual([other.title]);
    // The star outlives its item, so that it can be removed.
    expect(await app.call('items.unknown', { ids: [withdrawn.id, other.id, 'nope'] })).toEqual({ ids: ['nope'] });
  });

  it.skipIf(process.platform === 'win32')(
    'go through a pipe with a name, which stays, as soon as it is read',
    async () => {
      const app = standing();
      const [out, file] = [path.join(temporaryFolder(), 'pipe'), path.join(temporaryFolder(), 'file')];
      execFileSync('mkfifo', [out]);
      for (const args of [
        ['items', '--format', 'csv'],
        ['daily', 'latest', '--format', 'epub'],
        ['daily', 'latest', '--format', 'md'],
      ]) {
        const done = run(app, ...args, '--out', out);
        const { stdout } = await promisify(execFile)('cat', [out], { encoding: 'buffer' });
        expect(await done).toEqual({
          code: 0,
          out: '',
          err: expect.stringContaining(` written to ${out}\n`) as string,
        });
        const asFile = args.includes('md') ? path.dirname(file) : file;
        const { out: told } = await run(app, ...args, '--out', asFile);
        expect(told).not.toBe('');
        expect(
          stdout.equals(await readFile(args.includes('md') ? path.join(asFile, 'daily-2026-03-05.md') : file)),
        ).toBe(true);
      }
      expect((await stat(out)).isFIFO()).toBe(true);
    },
  );

  it.skipIf(process.platform === 'win32')('replace no device', async () => {
    const { code, err } = await run(standing(), 'items', '--format', 'csv', '--out', '/dev/zero');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('leads to a device or pipe') as string });
  });

  it('go to standard output, the same bytes as in a file, with messages on the other', async () => {
    const app = standing();
    const folder = temporaryFolder();
    for (const [args, name] of [
      [['items', '--format', 'csv'], 'broadsheet-items.csv'],
      [['items', '--format', 'jsonfeed'], 'broadsheet.feed.json'],
      [['items', '--format', 'md'], 'broadsheet-items.md'],
      [['items', '--format', 'atom'], 'broadsheet.atom.xml'],
      [['daily', '--all', '--format', 'atom'], 'broadsheet-dailies.atom.xml'],
      [['daily', 'latest', '--format', 'html'], 'daily-2026-03-05.html'],
    ] as const) {
      const done = await run(app, ...args, '--out', '-');
      expect(done).toMatchObject({ code: 0, err: expect.stringContaining(' written to standard output\n') as string });
      await run(app, ...args, '--out', folder);
      expect(done.out === (await readFile(path.join(folder, name), 'utf8')), name).toBe(true);
    }
    const { err } = await run(app, 'items', '--format', 'csv', '--out', '-', '--limit', '3', '--json');
    expect(jsonLines(err)).toEqual([{ file: '-', items: 3, left: 0 }]);
    expect(await run(app, 'daily', '--all', '--format', 'md', '--out', '-')).toMatchObject({ code: 2, out: '' });
  });

  it.skipIf(process.platform === 'win32')('end early without an error when nobody reads the rest', async () => {
    const app = standing();
    const command = 'set -o pipefail; "$0" "$@" | head -c 20';
    const args = [CLI, 'export', 'items', '--format', 'csv', '--out', '-', '--data', app.folder];
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command, process.execPath, ...args]);
    expect(stdout).toMatch(/^\ufeffid,title,/);
    expect(stderr).toBe('');
  });

  it('replace the file that a link leads to, and never the link', async () => {
    const app = standing();
    const [links, files] = [temporaryFolder(), temporaryFolder()];
    const commands: [string, string[]][] = [
      ['items.csv', ['items', '--format', 'csv']],
      ['book.epub', ['daily', 'latest', '--format', 'epub']],
      ['daily-2026-03-05.md', ['daily', '2026-03-05', '--format', 'md']],
    ];
    for (const [name, args] of commands) {
      await writeFile(path.join(files, name), 'old');
      await symlink(path.join(files, name), path.join(links, name));
      const out = name.endsWith('.md') ? links : path.join(links, name);
      expect(await run(app, ...args, '--out', out)).toMatchObject({ code: 0 });
      expect((await lstat(path.join(links, name))).isSymbolicLink()).toBe(true);
      expect(await readFile(path.join(files, name), 'utf8')).not.toBe('old');
    }
    expect((await readdir(files)).sort()).toEqual(commands.map(([name]) => name).sort());
  });

  it('are not written into the data folder, by no way that leads there', async () => {
    const app = standing();
    const { rows } = await app.call('items.page', { query: EVERYTHING, limit: 1 });
    await app.call('items.mark', { ids: rows.map(({ id }) => id), mark: 'star' });
    const links = temporaryFolder();
    await symlink(app.folder, path.join(links, 'data'));
    await symlink(path.join(app.folder, 'user.db'), path.join(links, 'user'));
    const before = await readdir(app.folder);
    for (const out of [
      path.join(app.folder, 'user.db'),
      path.join(app.folder, 'new'),
      app.folder,
      path.join(links, 'data', 'user.db'),
      path.join(links, 'user'),
    ]) {
      for (const args of [
        ['items', '--format', 'csv'],
        ['daily', 'latest', '--format', 'epub'],
      ]) {
        const { code, err } = await run(app, ...args, '--out', out);
        expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('data folder') as string });
      }
    }
    expect(await run(app, 'daily', '--all', '--format', 'md', '--out', path.join(app.folder, 'reports'))).toMatchObject(
      {
        code: 1,
      },
    );
    expect(await readdir(app.folder)).toEqual(before);
    expect(await app.call('counts.get', {})).toMatchObject({ starred: { total: 1 } });
  });

  it('take the name of a file that is also in the data folder, and not its content', async () => {
    const app = standing();
    const out = path.join(temporaryFolder(), 'out');
    const user = path.join(app.folder, 'user.db');
    await link(user, out);
    const before = await readFile(user);
    expect(await run(app, 'items', '--format', 'csv', '--out', out)).toMatchObject({ code: 0 });
    expect(await readFile(user)).toEqual(before);
  });

  it('leave the file alone if they cannot be written, and say what is wrong with the command', async () => {
    const app = standing();
    const out = temporaryFolder();
    const missing = path.join(out, 'missing', 'a.xml');
    const failed = await run(app, 'items', '--format', 'atom', '--out', missing);
    expect(failed).toEqual({
      code: 1,
      out: '',
      err: `broadsheet: Cannot write ${missing}: the folder does not exist.\n`,
    });
    const wrong: [string[], string][] = [
      [['items', '--format', 'epub'], 'items are exported as atom, jsonfeed, csv, md'],
      [['weekly', '2026-11-20', '--format', 'md'], "no weekly '2026-11-20': give an ISO week such as 2026-W47"],
      [['items', 'latest', '--format', 'md'], 'too many arguments'],
      [['items', '--all', '--format', 'md'], "option '--all' cannot be used with 'export items'"],
      [['daily', '--all', '--limit', '3', '--format', 'md'], "option '--limit' cannot be used with 'export daily'"],
      [['daily', '--all', '--format', 'csv'], 'reports are exported as md, html, json, atom, epub'],
      [['daily', '--format', 'epub'], 'Give one report, --month or --all.'],
      [['daily', 'latest', '--month', '2026-03', '--format', 'epub'], 'Give one report, --month or --all.'],
      [['weekly', '--month', '2026-03', '--format', 'epub'], "option '--month' is for 'export daily'"],
      [['daily', '--month', '2026-13', '--format', 'epub'], 'It must be a month, like 2026-11.'],
    ];
    for (const [args, message] of wrong) {
      const done = await run(app, ...args, '--out', out);
      expect([done.code, done.err.includes(message)], `${args.join(' ')}: ${done.err}`).toEqual([2, true]);
    }
    expect(await readdir(out)).toEqual([]);
  });
});

describe('reports in one file', () => {
  it('are an Atom feed, newest first', async () => {
    const app = standing();
    const out = temporaryFolder();
    const done = await run(app, 'daily', '--all', '--format', 'atom', '--out', out);
    const file = path.join(out, 'broadsheet-dailies.atom.xml');
    expect(done).toMatchObject({ code: 0, out: `12 reports written to ${file}\n` });
    const feed = checkAtom(await readFile(file, 'utf8'));
    expect(feed.title).toBe('Broadsheet: Daily · All reports');
    expect(feed.entries).toHaveLength(12);
    expect(feed.entries[0]?.title).toMatch(/^Daily 2026-03-05/);
    const { sections } = await app.call('reports.get', { kind: 'daily', label: '2026-03-05' });
    expect(feed.entries[0]?.text).toContain(sections[1]?.items[0]?.title);
    // The same reports are the same entries in a feed of a month.
    await run(app, 'daily', '--month', '2026-03', '--format', 'atom', '--out', out);
    const month = checkAtom(await readFile(path.join(out, 'broadsheet-daily-2026-03.atom.xml'), 'utf8'));
    expect(month.entries).toEqual(feed.entries.slice(0, 5));
    expect(month.id).not.toBe(feed.id);
  });

  it('are an e-book that follows EPUB 3, oldest first', async () => {
    const app = standing();
    const out = temporaryFolder();
    const done = await run(app, 'daily', '--month', '2026-03', '--format', 'epub', '--out', out, '--json');
    const file = path.join(out, 'dailies-2026-03.epub');
    expect(jsonLines(done.out)).toEqual([{ file, reports: 5, left: 0 }]);
    const book = await checkEpub(file);
    expect(book.chapters).toEqual([1, 2, 3, 4, 5].map((day) => `daily-2026-03-0${day}.xhtml`));
    expect(book.title).toBe('Daily 2026-03');
    // Nothing changed: the same bytes.
    const bytes = await readFile(file);
    await run(app, 'daily', '--month', '2026-03', '--format', 'epub', '--out', file);
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });

  it('of a month are as well-formed with hostile texts, and keep their id', async () => {
    const app = await reader();
    const label = '2026-03-05';
    const out = temporaryFolder();
    await run(app, 'daily', label, '--format', 'epub', '--out', out);
    const before = await checkEpub(path.join(out, `daily-${label}.epub`));
    const nasty = `]]> </title><script>alert(1)</script> & \u0000\ufffe\u202e😀 &nbsp;`;
    const cited = {
      title: nasty,
      summary: nasty,
      source: { name: nasty },
      links: { original: 'https://a.example/{x}?a=1&b="2"%zz', aihot: 'javascript:alert(1)' },
      attribution: { name: nasty, url: 'data:text/html,x' },
    };
    app.service.control.correctDaily(label, {
      lead: { title: nasty, leadParagraph: nasty },
      sections: [
        { label: nasty, items: [cited] },
        { label: '', items: [] },
      ],
    });
    // Most of its stories are gone, which a second answer confirms.
    for (let answer = 0; answer < 2; answer += 1) {
      app.clock.advance(6 * 3_600_000);
      await app.call('reports.open', { kind: 'daily', label });
    }
    await run(app, 'daily', label, '--format', 'epub', '--out', out);
    const after = await checkEpub(path.join(out, `daily-${label}.epub`));
    expect(after.id).toBe(before.id);
    expect(after.modified > before.modified).toBe(true);
    await run(app, 'daily', '--all', '--format', 'atom', '--out', out);
    checkAtom(await readFile(path.join(out, 'broadsheet-dailies.atom.xml'), 'utf8'));
  });

  it('that are not downloaded are counted; without any there is no file', async () => {
    const app = standing();
    const out = path.join(temporaryFolder(), 'out');
    await mkdir(out);
    const none = await run(app, 'daily', '--month', '2020-01', '--format', 'epub', '--out', out);
    expect(none).toMatchObject({
      code: 1,
      err: 'broadsheet: No dailies of 2020-01 are saved: see `broadsheet list dailies`.\n',
    });
    expect(await readdir(out)).toEqual([]);
  });
});

/** Checks the rules of EPUB 3.3 that a checker checks first, and returns what the book says of itself. */
async function checkEpub(file: string) {
  const bytes = await readFile(file);
  // Section 4.2: the first file, stored, without an extra field, and its sizes in its header.
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(bytes.subarray(30, 58).toString('latin1')).toBe('mimetypeapplication/epub+zip');
  expect([bytes.readUInt16LE(6) & 8, bytes.readUInt16LE(8), bytes.readUInt16LE(28)]).toEqual([0, 0, 0]);
  const files = Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]),
  );
  const documents = Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => /\.(?:xml|opf|xhtml|ncx)$/.test(name))
      .map(([name, text]) => [name, parseXml(text)]),
  );
  const rootfile = documents['META-INF/container.xml']?.querySelector('rootfile');
  expect(rootfile?.getAttribute('media-type')).toBe('application/oebps-package+xml');
  const opf = documents[rootfile?.getAttribute('full-path') ?? '']!;
  const text = (name: string): string => opf.getElementsByTagName(name)[0]?.textContent ?? '';
  expect(opf.documentElement.getAttribute('version')).toBe('3.0');
  expect(text('dc:identifier')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(text('dc:language')).toMatch(/^[a-z]{2}(?:-[A-Z]{2})?$/);
  const modified = opf.querySelector('meta[property="dcterms:modified"]')?.textContent ?? '';
  expect(modified).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
  // Everything in the archive is in the manifest, and once.
  const items = [...opf.querySelectorAll('manifest > item')];
  const hrefs = items.map((item) => `EPUB/${item.getAttribute('href') ?? ''}`);
  const rest = ['mimetype', 'META-INF/container.xml', 'EPUB/package.opf'];
  expect([...hrefs, ...rest].sort()).toEqual(Object.keys(files).sort());
  expect(items.filter((item) => item.getAttribute('properties') === 'nav')).toHaveLength(1);
  const byId = new Map(items.map((item) => [item.getAttribute('id'), item.getAttribute('href') ?? '']));
  const spine = [...opf.querySelectorAll('spine > itemref')].map((ref) => byId.get(ref.getAttribute('idref')) ?? '');
  // Every link of the table of contents leads somewhere.
  const nav = documents['EPUB/nav.xhtml']!;
  for (const link of nav.querySelectorAll('nav a')) {
    const [target = '', id] = (link.getAttribute('href') ?? '').split('#');
    expect(spine).toContain(target);
    if (id !== undefined) expect(documents[`EPUB/${target}`]?.getElementById(id)).toBeTruthy();
    expect(link.textContent).not.toBe('');
  }
  // The same for readers of EPUB 2, which also need the cover in a picture that every one of them can show.
  expect(opf.querySelector('spine')?.getAttribute('toc')).toBe('ncx');
  const ncx = documents['EPUB/toc.ncx']!;
  expect(ncx.querySelector('meta[name="dtb:uid"]')?.getAttribute('content')).toBe(text('dc:identifier'));
  const links = [...nav.querySelectorAll('nav a')].map((link) => link.getAttribute('href'));
  expect([...ncx.querySelectorAll('content')].map((place) => place.getAttribute('src'))).toEqual(links);
  const points = [...ncx.querySelectorAll('navPoint')].map((point) => point.getAttribute('id'));
  expect(new Set(points).size).toBe(points.length);
  expect(items.filter((item) => item.getAttribute('properties') === 'cover-image')).toHaveLength(1);
  const cover = unzipSync(bytes)['EPUB/cover.png']!;
  expect(pngOf(cover)).toEqual({ width: 600, height: 800, chunks: ['IHDR', 'PLTE', 'IDAT', 'IEND'] });
  expect(text('dc:creator')).not.toBe('');
  for (const name of spine) {
    const page = documents[`EPUB/${name}`]!;
    expect(page.documentElement.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
    expect(page.documentElement.getAttribute('lang')).toMatch(/^[a-z]{2}/);
    expect(page.querySelectorAll('script, iframe, object, form')).toHaveLength(0);
    expect(page.querySelectorAll('img')).toHaveLength(name === 'cover.xhtml' ? 1 : 0);
    for (const link of page.querySelectorAll('main a')) expect(link.getAttribute('href')).toMatch(/^https?:/);
  }
  return {
    id: text('dc:identifier'),
    title: text('dc:title'),
    modified,
    chapters: spine.filter((name) => !['nav.xhtml', 'cover.xhtml'].includes(name)),
  };
}

/** Checks length and checksum of each chunk, and that there is a pixel for each byte. */
function pngOf(bytes: Uint8Array) {
  const png = Buffer.from(bytes);
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
  const chunks: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push(type);
    if (type === 'IDAT') expect(inflateSync(png.subarray(at + 8, end))).toHaveLength(601 * 800);
  }
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), chunks };
}
