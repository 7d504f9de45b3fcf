import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseFragment, type Target } from '../../../src-main/contract/refs.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { runProgram } from '../../../src-main/node/program.ts';
import { startLoopbackServer } from '../../../src-main/node/server/server.ts';
import { forgetAddress, rememberAddress } from '../../../src-main/node/serving.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { notifiedStories, topic } from '../../support/told-stories.ts';
import { openOnce } from '../../support/open-once.ts';
import { jsonLines, startCli } from '../child.ts';
import { openHome } from '../home.ts';
import { EchoWire, PAGE, silentLog } from '../hosts.ts';
import { hearShell, runHere, type HeardShell } from '../shells.ts';

const DISPLAY = { DISPLAY: ':0', CI: '' };
let data = '';
let item: StoredItem;

/** Saves a story, whose page is no web page, and the reports and items of the demo service. */
const standing = openOnce(async (atEnd) => {
  const told = notifiedStories();
  const home = await openHome({ content: { selected: 3, unselected: 0 }, intercept: told.intercept, atEnd });
  told.rank([topic(1, 'i1', { story: 's' }), topic(2, 'i2', { story: 'bad' })]);
  told.tell('s', { links: { aihot: 'https://news.example/story/s', api: null } });
  told.tell('bad', { links: { aihot: 'file:///etc/passwd', api: null } });
  await home.run('sync', '--all');
  await home.service.close();
  const [first] = (await home.lines('list', 'items')) as [StoredItem];
  return { data: home.data, item: first };
});
beforeAll(() => void ({ data, item } = standing()));

interface Ran {
  code: number;
  out: string;
  err: string;
  opened: string[];
  /** The files that were opened, as they were then. */
  files: { text: string; mode: number }[];
}

async function run(args: string[], environment: Record<string, string> = DISPLAY, spoil?: (heard: HeardShell) => void) {
  const heard = hearShell({ ...environment, BROADSHEET_DATA: data });
  const files: Ran['files'] = [];
  const { open } = heard.shell.browser;
  heard.shell.browser.open = (place) => {
    if (existsSync(place)) files.push({ text: readFileSync(place, 'utf8'), mode: statSync(place).mode & 0o777 });
    return open(place);
  };
  spoil?.(heard);
  const code = await runProgram(['open', ...args], '1.2.3', heard.shell);
  return { code, out: heard.out(), err: heard.err(), opened: heard.opened, files };
}

async function serve() {
  const server = await startLoopbackServer({ wire: new EchoWire(), files: PAGE, clock: systemClock, log: silentLog });
  await rememberAddress(data, server.address);
  onTestFinished(async () => {
    await forgetAddress(data);
    await server.close();
  });
  return { server, origin: new URL(server.address).origin, token: new URL(server.address).search.slice(7) };
}

describe('open', () => {
  it("an item: its original page in the reader's browser", async () => {
    const original = item.links.original ?? '';
    expect(original).toMatch(/^https?:/);
    expect(await run(['item', item.id])).toMatchObject({
      code: 0,
      out: `Opened ${original}\n`,
      err: '',
      opened: [original],
    });
  });

  it("a story and a report: the service's page of it, the latest report without a label", async () => {
    expect((await run(['story', 's'])).opened).toEqual(['https://news.example/story/s']);
    const { out } = await runHere(['show', 'daily', 'latest', '--json'], { BROADSHEET_DATA: data });
    const { links, label } = jsonLines<{ links: { aihot: string }; label: string }>(out)[0]!;
    expect(links.aihot).toMatch(/^https?:/);
    for (const id of [[], ['latest'], [label]]) expect((await run(['daily', ...id])).opened).toEqual([links.aihot]);
  });

  it.each([
    ['an unknown item', ['item', 'none'], 1],
    ['an unknown story', ['story', 'none'], 1],
    ['a report that is not saved', ['daily', '1999-01-01'], 1],
    ['a label that is none', ['daily', 'tomorrow'], 2],
    ['an item without an id', ['item'], 2],
    ['something else', ['model', 'x'], 2],
    ['a page that is no web page', ['story', 'bad'], 1],
  ])('says in one line that it cannot open %s, and opens nothing', async (_what, args, code) => {
    const ran = await run(args);
    expect(ran).toMatchObject({ code, out: '', opened: [] });
    expect(ran.err).toMatch(code === 1 ? /^broadsheet: [^\n]+\n$/ : /^(?:broadsheet|error): [^\n]+\n/);
  });

  it('says what is missing if nothing is saved', async () => {
    const { code, err } = await runHere(['open', 'daily'], { BROADSHEET_DATA: temporaryFolder() });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('run `broadsheet sync`') as string });
  });

  it('says so if no browser starts', async () => {
    const ran = await run(['story', 's'], DISPLAY, ({ shell }) => {
      shell.browser.open = () => Promise.reject(new Error('ENOENT'));
    });
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain('--print');
  });
});

describe('open without a browser prints the address', () => {
  it.each<[string, string[], Record<string, string>]>([
    ['if that is wanted', ['--print'], DISPLAY],
    ['in CI', [], { ...DISPLAY, CI: 'true' }],
    ['if the reader wants none', [], { ...DISPLAY, BROWSER: 'none' }],
  ])('%s', async (_when, flags, environment) => {
    const ran = await run(['story', 's', ...flags], environment);
    expect(ran).toMatchObject({ code: 0, out: 'https://news.example/story/s\n', opened: [] });
    expect(ran.err === '').toBe(flags.length > 0);
  });

  it('as JSON, with whether it was opened', async () => {
    const url = 'https://news.example/story/s';
    expect(jsonLines((await run(['story', 's', '--json'])).out)).toEqual([{ url, opened: true }]);
    expect(jsonLines((await run(['story', 's', '--json', '--print'])).out)).toEqual([{ url, opened: false }]);
  });
});

describe('open alone', () => {
  it('opens the page of the server that runs, signed in', async () => {
    const { origin } = await serve();
    const ran = await run([]);
    expect(ran).toMatchObject({ code: 0, out: `Opened ${origin}/\n`, err: '' });
    const address = /url=([^"]+)"/.exec(ran.files[0]?.text ?? '')?.[1] ?? '';
    const page = await fetch(address, { redirect: 'manual' });
    expect([new URL(address).origin, page.status, page.headers.has('broadsheet-key')]).toEqual([origin, 200, true]);
  });

  it('prints the address that signs a browser in if none can be opened here', async () => {
    const { server } = await serve();
    expect(await run([], {})).toMatchObject({ code: 0, out: `${server.address}\n`, opened: [] });
  });

  it('knows no page on the web', async () => {
    expect(await run(['--web'])).toMatchObject({ code: 2, err: expect.stringContaining("with 'open'") as string });
  });

  it('starts a server where none runs, at the same address as the last time', async () => {
    const folder = temporaryFolder();
    const addresses: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const { child, ended } = startCli(['open', '--print', '--data', folder, '--news', 'http://127.0.0.1:9']);
      const [line] = (await once(child.stdout, 'data')) as [string];
      addresses.push(line.trim());
      expect((await fetch(line, { redirect: 'manual' })).status).toBe(303);
      child.kill('SIGINT');
      expect((await ended).err).toContain('service install');
    }
    const [first, second] = addresses.map((address) => new URL(address));
    expect(second?.origin).toBe(first?.origin);
    expect(second?.search).not.toBe(first?.search);
    if (process.platform !== 'win32') expect(statSync(join(folder, 'session.json')).mode & 0o777).toBe(0o600);
  });
});

describe('open while Broadsheet is served', () => {
  const PAGES: [string[], () => Target][] = [
    [['story', 's'], () => ({ view: 'story', publicId: 's' })],
    [['item', ''], () => ({ view: 'item', id: item.id })],
  ];

  it.each(PAGES)('opens its page at the place, without a secret in an argument: %j', async (args, target) => {
    const { origin, token } = await serve();
    const ran = await run(args.map((arg) => arg || item.id));
    expect(ran.code).toBe(0);
    expect(ran.opened).toEqual([expect.stringMatching(/open\.html$/)]);
    expect(ran.out).not.toMatch(/ticket|token/);
    expect(existsSync(ran.opened[0]!)).toBe(false);
    const [file] = ran.files;
    if (process.platform !== 'win32') expect(file?.mode).toBe(0o600);
    expect(file?.text).not.toContain(token);
    const address = new URL(/url=([^"]+)"/.exec(file?.text ?? '')?.[1] ?? '');
    expect(address.origin).toBe(origin);
    expect(parseFragment('open', address.hash)).toEqual(target());
    const page = await fetch(address, { redirect: 'manual' });
    expect([page.status, page.headers.has('broadsheet-key')]).toEqual([200, true]);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(403);
  });

  it('prints an address without a secret', async () => {
    const { origin } = await serve();
    const { out } = await run(['story', 's', '--print']);
    expect(out).toBe(`${origin}/#open=broadsheet%3A%2F%2Fstory%2Fs\n`);
  });

  it('opens the page on the web if that is wanted', async () => {
    await serve();
    expect((await run(['story', 's', '--web'])).opened).toEqual(['https://news.example/story/s']);
  });

  it('opens the page on the web if the server has ended without a word, or is another program', async () => {
    const { server } = await serve();
    await rememberAddress(data, server.address.replace(/token=./, 'token='));
    expect((await run(['story', 's'])).opened).toEqual(['https://news.example/story/s']);
    await server.close();
    await rememberAddress(data, server.address);
    expect((await run(['story', 's'])).opened).toEqual(['https://news.example/story/s']);
  });
});
