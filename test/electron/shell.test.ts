import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import type { FakeHost } from './fake/index.ts';
import { hostsOfTest, standingHost, WAIT } from './support/hosts.ts';

const KEY = 'sk-test-0123456789abcdef';
const DAILY = { view: 'report', kind: 'daily', label: '2026-11-20' } as const;
const STORY = { view: 'story', publicId: 'a' } as const;
const CLICKED = {
  linkURL: '',
  linkText: '',
  selectionText: '',
  isEditable: false,
  editFlags: { canCut: false, canCopy: false, canPaste: false, canSelectAll: true },
  menuSourceType: 'mouse',
};

const test = hostsOfTest();
const { run } = test;
const standing = standingHost();

const takeTarget = async ({ driver }: FakeHost) => {
  const reply = await driver.call('app.takeTarget', {});
  return reply.ok ? (reply.value as { target: unknown }).target : reply;
};

describe('a deep link', () => {
  it('opens its target at the first start, although that was to be hidden', async () => {
    const host = await run({ args: ['--hidden', 'broadsheet://daily/2026-11-20'] });
    await expect.poll(() => takeTarget(host), WAIT).toEqual(DAILY);
    expect(await takeTarget(host)).toBeNull();
    const { windows, claimed } = await host.driver.records();
    expect(windows).toMatchObject([{ address: 'app://broadsheet/index.html' }]);
    expect(claimed).toEqual([['broadsheet']]);
  });

  it.each([
    ['a second instance', 'linux'],
    ['macOS', 'darwin'],
  ] as const)('by %s leads the one that runs there, and leads nowhere without harm', async (_by, platform) => {
    const host = await run({ platform });
    const hand = (link: string) =>
      platform === 'darwin' ? host.driver.openUrl(link) : host.driver.secondInstance('/opt/broadsheet', link);
    await expect.poll(async () => (await host.driver.records()).windows[0]?.visible, WAIT).toBe(true);
    await host.driver.minimize();
    await hand('broadsheet://story/a');
    await expect.poll(() => takeTarget(host), WAIT).toEqual(STORY);
    expect((await host.driver.records()).windows[0]).toMatchObject({
      minimized: false,
      events: expect.any(Array) as never,
    });
    await host.driver.minimize();
    await hand('broadsheet://settings/../../etc');
    await expect.poll(async () => (await host.driver.records()).windows[0]?.minimized, WAIT).toBe(false);
    expect(await takeTarget(host)).toBeNull();
    expect((await host.driver.records()).questions).toEqual([]);
  });

  it('a click on a Windows notification of an earlier run starts the app with the history', async () => {
    const host = await run({
      platform: 'win32',
      args: ['-Embedding'],
      environment: { FAKE_TOAST: 'type=click&tag=17' },
    });
    await expect.poll(() => takeTarget(host), WAIT).toEqual({ view: 'notifications' });
    expect((await host.driver.records()).windows).toHaveLength(1);
  });

  it('a click on a Windows notification shows the window of a hidden start, and the jump list the newest daily', async () => {
    const first = await run({ platform: 'win32', args: ['--hidden'] });
    expect((await first.driver.records()).windows).toEqual([]);
    await first.driver.clickOldNotification('type=action&action=1&tag=17');
    await expect.poll(async () => (await first.driver.records()).windows[0]?.visible, WAIT).toBe(true);
    // Windows starts a second instance if the first has not listened yet.
    await first.driver.call('app.takeTarget', {});
    await first.driver.secondInstance('Broadsheet.exe', '-Embedding');
    await expect.poll(() => takeTarget(first), WAIT).toEqual({ view: 'notifications' });

    const { tasks } = await first.driver.records();
    expect(tasks.map((task) => task.arguments)).toEqual(['', '--latest-daily', '--refresh']);
    await first.driver.minimize();
    await first.driver.secondInstance('Broadsheet.exe', '--refresh');
    expect((await first.driver.records()).windows[0]?.minimized).toBe(true);
    await first.driver.secondInstance('Broadsheet.exe', '--latest-daily');
    await expect.poll(async () => (await first.driver.records()).windows[0]?.minimized, WAIT).toBe(false);
  });
});

describe('several windows', () => {
  it('are one per target, get all events except navigation of the main window, and print their own page', async () => {
    const host = await run();
    const { driver } = host;
    expect(await driver.call('app.capabilities', {})).toMatchObject({ ok: true, value: { windows: true } });
    for (const target of [DAILY, STORY, DAILY]) {
      expect(await driver.call('app.openWindow', { target })).toMatchObject({ ok: true });
    }
    const { windows } = await driver.records();
    expect(windows.map(({ address }) => new URL(address ?? '').hash)).toEqual([
      '',
      '#window=broadsheet%3A%2F%2Fdaily%2F2026-11-20',
      '#window=broadsheet%3A%2F%2Fstory%2Fa',
    ]);
    await driver.call('settings.set', { patch: { density: 'compact' } });
    await driver.secondInstance('broadsheet', 'broadsheet://story/a');
    await expect.poll(() => takeTarget(host), WAIT).toEqual(STORY);
    const events = (await driver.records()).windows.map((window) => window.events);
    for (const names of events) expect(names).toContain('settings.changed');
    expect(events.map((names) => names.includes('app.goTo'))).toEqual([true, false, false]);

    await driver.wantFileAt(join(temporaryFolder(), 'story.pdf'));
    expect(await driver.callFrom(2, 'page.savePdf', { name: 'story.pdf' })).toMatchObject({ ok: true });
    await driver.focusWindow(1);
    for (const command of ['print', 'export', 'search']) await driver.chooseInMenu(command);
    const after = (await driver.records()).windows;
    expect(after[1]?.did).toContain('print');
    expect(after.map((window) => window.events.filter((name) => name === 'app.command').length)).toEqual([1, 1, 0]);
  });
});

describe('a page that crashes', () => {
  it('is loaded again, and noted in data health and the log, without a trace', async () => {
    const { driver, dataFolder } = standing();
    await driver.losePage(0, 'crashed');
    expect((await driver.records()).windows[0]?.did).toContain('reload');
    const health = await driver.call('health.get', {});
    expect(health).toMatchObject({
      value: { problems: [{ where: 'main', message: expect.stringContaining('crashed') as string }] },
    });
    const log = await readFile(join(dataFolder, 'logs', 'broadsheet.log'), 'utf8');
    const lines = log.split('\n').filter((line) => line.includes('process has ended'));
    expect(lines).toEqual([expect.stringContaining('A page process has ended: crashed, exit code')]);
    expect(lines[0]).not.toContain('trace');
  });
});

describe('an error in the main process', () => {
  it('is logged without secrets and added to data health once, also when the terminal is closed', async () => {
    const { driver, stderr, closeStderr } = await run({
      environment: { BROADSHEET_MODELS_URL: 'http://127.0.0.1:9', BROADSHEET_MODELS_KEY: KEY },
    });
    await driver.call('counts.get', {});
    for (let time = 0; time < 2; time += 1) await driver.throwOutside(`no answer for ${KEY} to Bearer abcdefgh`);
    const problems = async () => {
      const reply = await driver.call('health.get', {});
      return reply.ok ? (reply.value as { problems: unknown[] }).problems : [];
    };
    await expect
      .poll(problems, WAIT)
      .toMatchObject([{ where: 'main', message: 'no answer for [removed] to Bearer [removed]' }]);
    const log = await readFile(join(test.dataFolder, 'logs', 'broadsheet.log'), 'utf8');
    expect(log).toContain('no answer for [removed]');
    expect(log).toContain('trace=');
    for (const text of [log, stderr()]) expect(text).not.toContain(KEY);
    expect(await driver.call('counts.get', {})).toMatchObject({ ok: true });
    expect(await readdir(join(test.dataFolder, 'logs'))).toEqual(['broadsheet.log']);

    const unexpected = (text: string) => text.match(/Unexpected error/g)?.length ?? 0;
    closeStderr();
    const read = () => readFile(join(test.dataFolder, 'logs', 'broadsheet.log'), 'utf8');
    for (const message of ['the first', 'the second']) {
      await driver.throwOutside(message);
      await expect.poll(read, WAIT).toContain(message);
      // Each call takes turns of the main loop, in which the next error would be logged.
      for (let turn = 0; turn < 10; turn += 1) await driver.call('counts.get', {});
    }
    expect(await read()).not.toContain('EPIPE');
    expect(unexpected(await read()) - unexpected(log)).toBe(2);
  });
});

describe('a computer that shuts down', () => {
  it('waits until the data folder is released', async () => {
    const { driver, exited } = await run();
    await driver.power('shutdown').catch(() => undefined);
    expect(await exited).toBe(0);
    expect(await (await run()).driver.call('counts.get', {})).toMatchObject({ ok: true });
  });
});

describe('menus', () => {
  it('follow the language', async () => {
    const { driver } = await run({ platform: 'darwin' });
    const labels = async () => (await driver.records()).menu?.map(({ label }) => label);
    expect(await labels()).toContain('文件');
    expect((await driver.records()).dockMenu.map(({ label }) => label)).toContain('最新日报');
    await driver.call('settings.set', { patch: { language: 'en' } });
    await expect.poll(labels, WAIT).toContain('File');
    expect((await driver.records()).dockMenu.map(({ label }) => label)).toContain('Latest Daily');
    await driver.chooseInDock('open');
  });

  it('copy from the context menu', async () => {
    const { driver } = standing();
    await driver.clickRight({ ...CLICKED, linkURL: 'https://example.com/a', linkText: 'A report' });
    for (const id of ['copyCitation', 'openLink']) await driver.chooseInPopup(id);
    const { copied, opened } = await driver.records();
    expect(copied).toEqual(['[A report](https://example.com/a)']);
    expect(opened).toEqual(['https://example.com/a']);
  });

  it('save the page under a name that is valid on every system, and say why it is not saved', async () => {
    const { driver, dataFolder } = standing();
    await driver.chooseInMenu('savePdf');
    await expect.poll(async () => (await driver.records()).asked.length, WAIT).toBe(1);
    expect((await driver.records()).asked[0]?.defaultPath).toBe('Broadsheet a b.pdf');
    await driver.wantFileAt(join(temporaryFolder(), 'nowhere', 'a.pdf'));
    await driver.press(0);
    await driver.chooseInMenu('savePdf');
    await expect.poll(async () => (await driver.records()).questions.length, WAIT).toBe(1);
    const inside = join(dataFolder, 'user.db');
    await driver.wantFileAt(inside);
    await driver.press(0);
    await driver.chooseInMenu('savePdf');
    await expect.poll(async () => (await driver.records()).questions.length, WAIT).toBe(2);
    const refused = (await driver.records()).questions[1];
    expect(refused).toMatchObject({ type: 'error', message: expect.stringMatching(/PDF/) as string });
    expect(refused?.detail).toBe(
      `${inside} is in Broadsheet's data folder, where nothing else is written. Choose another folder.`,
    );
  });
});
