import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { METHOD_NAMES } from '../../src-main/contract/methods.ts';
import type { NewNotification } from '../../src-main/contract/model/notification.ts';
import { SETTING_NAMES } from '../../src-main/contract/settings.ts';
import {
  checkProgram,
  findProgram,
  HookRunner,
  readHook,
  readLastRun,
  removeHook,
  saveHook,
  variablesOf,
  type Hook,
} from '../../src-main/core/hook.ts';
import { isRunning } from '../../src-main/core/files/atomic-write.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { temporaryFolder } from '../support/folders.ts';

const isWindows = process.platform === 'win32';
const isAdministrator = process.getuid?.() === 0;
const STRANGER = 4_242;
const REFUSED = { code: 'file_refused' };

const report = (more: Partial<NewNotification> = {}): NewNotification => ({
  id: 1,
  kind: 'daily',
  at: '2026-03-19T01:00:00.000Z',
  title: 'A headline',
  label: '2026-03-19',
  count: 1,
  target: { view: 'report', kind: 'daily', label: '2026-03-19' },
  toldAt: null,
  item: null,
  priceChanged: false,
  ...more,
});
const search = (more: Partial<NewNotification> = {}): NewNotification =>
  report({
    kind: 'saved',
    label: 'Zebras',
    count: 3,
    target: { view: 'saved', id: 'abc' },
    item: { id: 'item-1', link: 'https://news.example/zebra' },
    ...more,
  });
const models = (more: Partial<NewNotification> = {}): NewNotification =>
  report({
    kind: 'models',
    label: null,
    target: { view: 'model', modelList: 'models', id: 'made/one' },
    priceChanged: true,
    ...more,
  });

/** Not one that has ended, and that nobody has waited for. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

function scene(script: string, { on = ['daily'], args = [], ...hook }: Partial<Hook> & { args?: string[] } = {}) {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const program = join(place, 'hook');
  writeFileSync(program, `#!/bin/sh\ncd '${place}'\n${script}\n`, { mode: 0o700 });
  const logged: { message: string; fields: object }[] = [];
  const open = (limit = 30_000): HookRunner => {
    const environment = { PATH: process.env['PATH'], HOME: '/home/reader', LANG: 'C.UTF-8', SECRET_KEY: 'x' };
    const runner = new HookRunner({
      folder,
      environment,
      clock: systemClock,
      limit,
      log: (_level, message, fields = {}) => void logged.push({ message, fields }),
    });
    onTestFinished(() => runner.stop());
    return runner;
  };
  const read = (name: string): string => readFileSync(join(place, name), 'utf8');
  const set = () => saveHook(folder, { on, command: [program, ...args], ...hook });
  return { folder, place, program, logged, open, read, set };
}

describe.skipIf(isWindows)('a hook', () => {
  it('gets what is new by its environment, on one line and unread by any shell', async () => {
    const given = ['$HOME', '*', 'two words', `it's "quoted"`, '', '; touch args'];
    const { set, open, read, place, logged } = scene(`pwd > there; env > environment; printf '%s\\n' "$@" > words`, {
      on: ['daily', 'search'],
      args: given,
    });
    await set();
    const runner = open();
    const title = `"It's" $(touch one) \`touch two\`\n; touch three\r\n\u0000BROADSHEET_EVENT=price\u001b[2J \u202etxt`;
    runner.take([search({ title, label: `a\n$(touch four)` })]);
    await runner.settled();
    expect(logged).toEqual([]);
    const variables = Object.fromEntries(
      read('environment')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    ) as Record<string, string>;
    // Those of sh itself.
    const { PWD: _pwd, OLDPWD: _old, SHLVL: _level, _: _last, ...rest } = variables;
    expect(rest).toEqual({
      PATH: process.env['PATH'],
      HOME: '/home/reader',
      LANG: 'C.UTF-8',
      BROADSHEET_DATA: expect.any(String) as string,
      BROADSHEET_EVENT: 'search',
      BROADSHEET_TITLE: `"It's" $(touch one) \`touch two\` ; touch three BROADSHEET_EVENT=price [2J txt`,
      BROADSHEET_NAME: 'a $(touch four)',
      BROADSHEET_ID: 'item-1',
      BROADSHEET_URL: 'https://news.example/zebra',
      BROADSHEET_COUNT: '3',
    });
    expect(read('words')).toBe(`${given.join('\n')}\n`);
    for (const name of ['one', 'two', 'three', 'four', 'args']) expect(existsSync(join(place, name))).toBe(false);
  });

  it('starts in the home folder, with nothing to read', async () => {
    const { set, open, read, program, place } = scene('');
    writeFileSync(program, `#!/bin/sh\npwd > '${place}/there'; cat > '${place}/input'\n`);
    await set();
    const runner = open();
    runner.take([report()]);
    await runner.settled();
    expect([read('there').trim(), read('input')]).toEqual([homedir(), '']);
  });

  it('runs for its own events only, one after the other, and without one nothing runs', async () => {
    const { set, open, read, folder, place } = scene(
      `[ ! -e busy ] || echo twice >> ran; touch busy; echo "$BROADSHEET_EVENT $BROADSHEET_ID" >> ran; sleep 0.05; rm busy`,
      { on: ['daily', 'price'] },
    );
    const runner = open();
    runner.take([report()]);
    await runner.settled();
    expect(existsSync(join(place, 'ran'))).toBe(false);
    expect(runner.isSet).toBe(false);
    await set();
    expect(runner.isSet).toBe(true);
    runner.take([report(), search(), models(), models({ priceChanged: false }), report({ label: '2026-03-20' })]);
    runner.take([models({ target: { view: 'modelChanges' }, count: 2 })]);
    expect(runner.isBusy).toBe(true);
    await runner.settled();
    expect(read('ran')).toBe('daily 2026-03-19\nprice made/one\ndaily 2026-03-19\nprice \n');
    expect(await removeHook(folder)).toBe(true);
    runner.take([report()]);
    await runner.settled();
    expect(read('ran').split('\n')).toHaveLength(5);
    expect(await removeHook(folder)).toBe(false);
  });

  it('that fails is logged with its last lines, and the next event runs it again', async () => {
    const { set, open, read, folder, logged } = scene(
      `echo run >> ran; for n in 1 2 3 4 5; do echo "line $n"; done; printf 'the\\033[2J end\\n' >&2; exit 3`,
    );
    await set();
    const runner = open();
    runner.take([report(), report()]);
    await runner.settled();
    expect(read('ran')).toBe('run\nrun\n');
    const told = { message: 'The hook failed for daily', fields: { event: 'daily', id: '2026-03-19' } };
    expect(logged).toMatchObject([told, told]);
    const { reason } = logged[0]?.fields as { reason: string };
    expect(reason).toMatch(/^ended with exit code 3: [^|]+ \| [^|]+ \| the \[2J end$/);
    expect(await readLastRun(folder)).toMatchObject({ event: 'daily', ok: false, outcome: 'ended with exit code 3' });
  });

  it('that writes without end keeps neither memory nor log', async () => {
    const { set, open, logged } = scene(`head -c 3000000 /dev/zero | tr '\\0' x; exit 1`);
    await set();
    const runner = open();
    runner.take([report()]);
    await runner.settled();
    expect(JSON.stringify(logged).length).toBeLessThan(1_000);
  });

  it('that hangs is ended with all that it started, also if it refuses', async () => {
    const { set, open, read, logged } = scene(
      `trap '' TERM; (trap '' TERM; sleep 600) & echo $! > child; wait; wait; sleep 600`,
    );
    await set();
    const runner = open(400);
    runner.take([report()]);
    await runner.settled();
    expect(logged).toMatchObject([{ fields: { reason: 'was ended after 0.4 s' } }]);
    await expect.poll(() => isAlive(Number(read('child')))).toBe(false);
  });

  it('that leaves something in the background is not waited for', async () => {
    const { set, open, read, logged } = scene(`sleep 600 & echo $! > child`);
    await set();
    const runner = open();
    runner.take([report()]);
    await runner.settled();
    expect(logged).toEqual([]);
    process.kill(Number(read('child')));
  });

  it('is ended when Broadsheet closes, and what waits is not run', async () => {
    const { set, open, read, place, logged } = scene(`echo $$ >> ran; exec sleep 600`);
    await set();
    const runner = open();
    runner.take([report(), report()]);
    await expect.poll(() => existsSync(join(place, 'ran')) && read('ran').length > 1).toBe(true);
    await runner.stop();
    expect(read('ran').trim().split('\n')).toHaveLength(1);
    expect(isRunning(Number(read('ran')))).toBe(false);
    expect(logged).toMatchObject([{ fields: { reason: 'was ended, because Broadsheet was closed' } }]);
  });

  it('has a queue with an end', async () => {
    const { open, logged } = scene('');
    const runner = open();
    runner.take(Array.from({ length: 102 }, () => report()));
    runner.take([report()]);
    await runner.settled();
    expect(logged).toEqual([
      { message: 'The hook is too slow: some news is left out', fields: { left: 2 } },
      { message: 'The hook is too slow: some news is left out', fields: { left: 1 } },
    ]);
  });
});

describe.skipIf(isWindows)('a hook is refused', () => {
  it('if others may write to its file, or to a folder above it', async () => {
    const { program, place, set, open, logged, folder } = scene('touch ran');
    await set();
    const runner = open();
    for (const [path, mode, usual] of [
      [program, 0o702, 0o700],
      [program, 0o720, 0o700],
      [place, 0o777, 0o700],
    ] as const) {
      chmodSync(path, mode);
      await expect(checkProgram(program)).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringContaining(`chmod go-w '${path}'`) as string,
      });
      runner.take([report()]);
      await runner.settled();
      chmodSync(path, usual);
    }
    expect(logged).toHaveLength(3);
    expect(existsSync(join(place, 'ran'))).toBe(false);
    expect(await readLastRun(folder)).toMatchObject({ ok: false });
    await expect(checkProgram(program)).resolves.toBeUndefined();
  });

  it('if it, a folder or a link on the way belongs to another user', async ({ skip }) => {
    skip(!isAdministrator, 'only the administrator can give files away');
    const { program, place } = scene('');
    const below = join(place, 'below');
    mkdirSync(below, { mode: 0o755 });
    const link = join(below, 'link');
    symlinkSync(program, link);
    await expect(checkProgram(link)).resolves.toBeUndefined();
    for (const give of [
      (id: number) => lchownSync(link, id, id),
      (id: number) => chownSync(below, id, id),
      (id: number) => chownSync(program, id, id),
    ]) {
      give(STRANGER);
      await expect(checkProgram(link)).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringContaining('another user') as string,
      });
      give(0);
    }
  });

  it('if its description could be written by others, or is none', async ({ skip }) => {
    const { folder, set } = scene('');
    expect(await readHook(folder)).toBeNull();
    await set();
    const file = join(folder, 'hook.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o620);
    await expect(readHook(folder)).rejects.toMatchObject(REFUSED);
    chmodSync(file, 0o600);
    for (const text of [
      'rubbish',
      '{"on":["daily"],"command":"rm -rf /"}',
      '{"on":["daily"],"command":["relative"]}',
      '{"on":["update"],"command":["/bin/true"]}',
      '{"on":[],"command":["/bin/true"]}',
    ]) {
      writeFileSync(file, text);
      await expect(readHook(folder)).rejects.toMatchObject({ code: 'data_unreadable' });
    }
    skip(!isAdministrator, 'only the administrator can give files away');
    chownSync(file, STRANGER, STRANGER);
    await expect(readHook(folder)).rejects.toMatchObject(REFUSED);
  });

  it('if it is missing, may not be run, or is a folder', async () => {
    const { program, place } = scene('');
    const environment = { PATH: `relative:${join(place, 'no')}:${place}` };
    expect(await findProgram('hook', '/', environment)).toBe(program);
    expect(await findProgram('./hook', place, {})).toBe(program);
    chmodSync(program, 0o600);
    for (const name of ['hook', './hook', place, './missing'])
      await expect(findProgram(name, place, environment)).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('a program that Windows runs by a shell is refused', async () => {
  for (const name of ['C:\\hook.cmd', 'C:\\hook.BAT', 'C:\\hook.ps1', 'C:\\hook'])
    await expect(checkProgram(name, 'win32')).rejects.toMatchObject(REFUSED);
});

describe('the variables of a hook', () => {
  it.each([
    ['a report', report(), { EVENT: 'daily', ID: '2026-03-19', URL: 'broadsheet://daily/2026-03-19', NAME: '' }],
    [
      'a story',
      report({ kind: 'story', label: null, target: { view: 'story', publicId: 'abc-1' } }),
      { EVENT: 'story', ID: 'abc-1' },
    ],
    ['a search', search(), { EVENT: 'search', ID: 'item-1', NAME: 'Zebras', COUNT: '3' }],
    ['an item without an address', search({ item: { id: 'x', link: null } }), { URL: 'broadsheet://item/x' }],
    [
      'an address of a program',
      search({ item: { id: 'x', link: 'file:///etc/passwd' } }),
      { URL: 'broadsheet://item/x' },
    ],
    ['a long address', search({ item: { id: 'x', link: `https://a.example/${'x'.repeat(4_000)}` } }), { URL: '' }],
    ['items that are gone', search({ item: null, title: '' }), { ID: '', URL: '', TITLE: '' }],
    ['a price', models(), { EVENT: 'price', ID: 'made/one', URL: '' }],
    ['several prices', models({ target: { view: 'modelChanges' }, count: 4 }), { ID: '', COUNT: '4' }],
  ])('name %s', (_what, news, wanted) => {
    const named = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [`BROADSHEET_${name}`, value]));
    expect(variablesOf(news)).toMatchObject(named);
  });

  it('are bounded', () => {
    const long = 'x'.repeat(100_000);
    const all = variablesOf(search({ title: long, label: long, item: { id: long, link: null } }));
    expect(Object.values(all ?? {}).join('').length).toBeLessThan(4_000);
  });
});

it('no method and no setting can set or start a hook', () => {
  expect([...METHOD_NAMES, ...SETTING_NAMES].filter((name) => /hook/i.test(name))).toEqual([]);
});
