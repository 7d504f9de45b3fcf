import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveInvocation, type Invocation } from '../../../src-main/node/invocation.ts';
import { installService, removeService, serviceStatus, type Manager } from '../../../src-main/node/commands/service.ts';
import { unitFor, type ServiceSystem, type Step } from '../../../src-main/node/commands/service-units.ts';
import { NODE_FLAGS } from '../../../src-main/node/project.ts';
import { parseXml } from '../../support/feeds.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { hearShell } from '../shells.ts';

const PATHS = {
  spaces: '/home/an na/my data',
  quotes: `/home/a"b'c/back\\slash`,
  percent: '/home/100%/50%d',
  dollar: '/home/$HOME/${x}',
  chinese: '/home/读者/数据 & <x>',
};

const planned = (system: ServiceSystem, path: string) =>
  unitFor(
    { node: `${path}/node`, cli: `${path}/cli.js`, dataFolder: path, port: 7311 },
    { system, home: '/home/reader', environment: {}, uid: 501 },
  );

/** Takes a line of systemd apart, as systemd.syntax(7) says: quotes, C's escapes, doubled percent signs. */
function systemdWords(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replace(/\\(.)/g, '$1').replaceAll('%%', '%'),
  );
}

/** Takes a command line apart like CommandLineToArgvW. */
function windowsWords(line: string): string[] {
  return [...line.matchAll(/"((?:\\"|\\\\(?=\\*")|[^"])*)"/g)].map(([, word = '']) =>
    word.replace(/\\\\(?=\\*$|\\*")/g, '\\').replaceAll('\\"', '"'),
  );
}

describe('a unit', () => {
  it.each(Object.entries(PATHS))('of systemd names paths with %s', (_what, path) => {
    const { text, file } = planned('linux', path);
    expect(file).toBe('/home/reader/.config/systemd/user/broadsheet.service');
    const command = /^ExecStart=(.*)$/m.exec(text)?.[1] ?? '';
    expect(command).not.toMatch(/(?<!%)%(?!%)(?=[a-zA-Z])/);
    const words = [...NODE_FLAGS, `${path}/cli.js`, 'serve', '--data', path, '--port', '7311'];
    // systemd starts no program whose path has quotes or backslashes.
    const program = /["'\\]/.test(path) ? [':/bin/sh', '-c', 'exec "$0" "$@"', `${path}/node`] : [`:${path}/node`];
    expect(systemdWords(command)).toEqual([...program, ...words]);
    expect(systemdWords(/^ReadWritePaths=(.*)$/m.exec(text)?.[1] ?? '')).toEqual([`-${path}`]);
  });

  it.each(Object.entries(PATHS))('of launchd names paths with %s', (_what, path) => {
    const { text, file } = planned('darwin', path);
    expect(file).toBe('/home/reader/Library/LaunchAgents/app.broadsheet.serve.plist');
    const words = [...parseXml(text).querySelectorAll('array > string')].map((one) => one.textContent);
    expect(words).toEqual([`${path}/node`, ...NODE_FLAGS, `${path}/cli.js`, 'serve', '--data', path, '--port', '7311']);
  });

  it.each([
    ['spaces', 'C:\\Users\\An na\\my data'],
    ['Chinese', 'C:\\Users\\读者\\数据 & <x>'],
    ['one percent sign', 'C:\\100%'],
    ['a backslash at its end', 'D:\\'],
  ])('of Windows names paths with %s', (_what, path) => {
    const { content, file, install } = planned('win32', path);
    expect(install[0]).toContain(file);
    const text = Buffer.from(content).toString('utf16le');
    expect(text.startsWith('\ufeff<?xml version="1.0" encoding="UTF-16"?>\r\n')).toBe(true);
    const document = parseXml(text.slice(1));
    expect(document.querySelector('Command')?.textContent).toBe(`"${path}/node"`);
    const words = windowsWords(document.querySelector('Arguments')?.textContent ?? '');
    expect(words).toEqual([...NODE_FLAGS, `${path}/cli.js`, 'serve', '--data', path, '--port', '7311']);
  });

  it('refuses what a format cannot hold', () => {
    for (const system of ['linux', 'darwin', 'win32'] as const)
      expect(() => planned(system, '/home/a\nb')).toThrow('control characters');
    expect(() => planned('win32', 'C:\\%TEMP%')).toThrow('percent signs');
  });

  it('is accepted by systemd, where it is installed, and starts what it names', ({ skip }) => {
    skip(spawnSync('systemd-analyze', ['--version']).status !== 0, 'there is no systemd-analyze');
    const folder = join(temporaryFolder(), `读 a"b'c 100%d $HOME`);
    mkdirSync(folder, { recursive: true });
    const node = join(folder, 'node');
    symlinkSync(process.execPath, node);
    const runtime = temporaryFolder();
    const verify = (change: (text: string) => string = (text) => text) => {
      const plan = { node, cli: join(folder, 'cli.js'), dataFolder: folder, port: 7311 };
      const unit = unitFor(plan, { system: 'linux', home: folder, environment: {}, uid: 0 });
      const file = join(runtime, 'broadsheet.service');
      writeFileSync(file, change(unit.text));
      const env = { ...process.env, XDG_RUNTIME_DIR: runtime };
      return spawnSync('systemd-analyze', ['verify', '--user', '--man=no', file], { encoding: 'utf8', env });
    };
    expect(verify()).toMatchObject({ status: 0, stderr: '' });
    // So it does look at the unit.
    expect(verify((text) => text.replace(':/bin/sh', ':/bin/no-such-shell')).status).not.toBe(0);
  });
});

function scene(answer: (step: Step) => string | null = () => null) {
  const home = temporaryFolder();
  const ran: string[] = [];
  const manager: Manager = {
    place: { system: 'linux', home, environment: {}, uid: 1000 },
    node: '/usr/bin/node',
    cli: '/opt/broadsheet/cli.js',
    run: async (step) => {
      ran.push(step.join(' '));
      return answer(step);
    },
  };
  const dataFolder = join(home, 'data');
  const use = async (
    work: (invocation: Invocation) => Promise<number>,
    { options = {}, environment = {} }: { options?: object; environment?: Record<string, string> } = {},
  ) => {
    const { shell, out, err } = hearShell({ BROADSHEET_DATA: dataFolder, ...environment });
    const code = await work(resolveInvocation(options, shell));
    return { code, out: out(), err: err() };
  };
  const file = join(home, '.config', 'systemd', 'user', 'broadsheet.service');
  const install = (more = {}) =>
    use((invocation) => installService(invocation, { port: 7311, yes: true }, manager), more);
  return { manager, ran, use, file, install, dataFolder };
}

describe('the service', () => {
  it('is shown, written and started, and removed again', async () => {
    const { manager, ran, use, file, install } = scene();
    const { code, out } = await install();
    expect(code).toBe(0);
    expect(out).toContain(`${file}:`);
    expect(out).toContain(readFileSync(file, 'utf8').trim());
    expect(out).toContain('Then: systemctl --user daemon-reload;');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    const first = 'systemctl --user';
    expect(ran.splice(0)).toEqual([
      `${first} daemon-reload`,
      `${first} enable broadsheet.service`,
      `${first} restart broadsheet.service`,
    ]);
    expect((await use((invocation) => serviceStatus(invocation, manager))).out).toBe(`running (${file})\n`);
    ran.splice(0);
    expect((await use((invocation) => removeService(invocation, manager))).out).toContain('Service removed');
    expect(existsSync(file)).toBe(false);
    expect(ran).toEqual([`${first} disable --now broadsheet.service`, `${first} daemon-reload`]);
    expect((await use((invocation) => serviceStatus(invocation, manager), { options: { json: true } })).out).toBe(
      '{"installed":null,"running":false,"address":null}\n',
    );
    expect((await use((invocation) => removeService(invocation, manager))).err).toBe('No service is installed.\n');
  });

  it('shows the address that serve left for its owner', async () => {
    const { manager, use, install, dataFolder } = scene();
    await install();
    writeFileSync(join(dataFolder, 'serving.json'), '{"url":"http://127.0.0.1:7311/?token=x"}');
    const { out } = await use((invocation) => serviceStatus(invocation, manager));
    expect(out).toContain('\nhttp://127.0.0.1:7311/?token=x\n');
    writeFileSync(join(dataFolder, 'serving.json'), '{"url":"https://elsewhere.example/"}');
    expect((await use((invocation) => serviceStatus(invocation, manager))).out).not.toContain('elsewhere');
  });

  it('is not written when nobody can be asked', async () => {
    const { manager, use, file, ran } = scene();
    const asked = use((invocation) => installService(invocation, { port: 7311, yes: false }, manager));
    await expect(asked).rejects.toThrow('--yes');
    expect([existsSync(file), ran]).toEqual([false, []]);
  });

  it('contains no key and no address, and says so', async () => {
    const { file, install } = scene();
    const environment = { BROADSHEET_MODELS_KEY: 'mgmt-0b5c7d9e1f3a', BROADSHEET_NEWS_URL: 'https://news.example' };
    const { err } = await install({ environment });
    expect(readFileSync(file, 'utf8')).not.toMatch(/mgmt|news\.example/);
    expect(err).toContain('settings set api-key');
    expect(err).toContain('saved settings');
  });

  it('says which step failed, and leaves nothing behind', async () => {
    const { install, file, ran } = scene((step) => (step.includes('enable') ? 'Failed to connect to bus' : null));
    await expect(install()).rejects.toThrow(
      /enable broadsheet.service` failed: Failed to connect to bus. Nothing is installed.$/,
    );
    expect(existsSync(file)).toBe(false);
    expect(ran.slice(-2)).toEqual([
      'systemctl --user disable --now broadsheet.service',
      'systemctl --user daemon-reload',
    ]);
  });

  it('is the one that was there if another one cannot be started', async () => {
    let isBroken = false;
    const { manager, use, file, ran, install } = scene((step) => (isBroken && step.includes('restart') ? 'No' : null));
    await install();
    const before = readFileSync(file, 'utf8');
    isBroken = true;
    const again = use((invocation) => installService(invocation, { port: 7312, yes: true }, manager));
    await expect(again).rejects.toThrow('as it was before');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(ran.at(-1)).toBe('systemctl --user restart broadsheet.service');
  });

  it('that is not running has the exit code that other services have', async () => {
    const { manager, use, install } = scene((step) => (step.includes('is-active') ? 'inactive' : null));
    const status = () => use((invocation) => serviceStatus(invocation, manager));
    expect(await status()).toMatchObject({ code: 3, out: 'not installed\n' });
    await install();
    expect(await status()).toMatchObject({ code: 3, out: expect.stringContaining('installed, not running') as string });
  });

  it.skipIf(process.platform !== 'linux')('may write to the folders that it uses, and to no others', async () => {
    const { text } = unitFor(
      { node: '/node', cli: '/cli.js', dataFolder: '/home/reader/data', port: 7311, shared: ['/home/reader/Sync me'] },
      { system: 'linux', home: '/home/reader', environment: {}, uid: 1000 },
    );
    expect(text).toContain(
      'ProtectSystem=strict\nReadWritePaths="-/home/reader/data"\nReadWritePaths="-/home/reader/Sync me"',
    );
    expect(text).toContain('PrivateTmp=yes');
    // The socket for other commands is in /tmp then.
    const long = planned('linux', `/home/${'long'.repeat(30)}`).text;
    expect(long).toContain('ReadWritePaths="-/tmp"');
    for (const unit of [long, planned('linux', '/tmp/data').text]) expect(unit).not.toContain('PrivateTmp');
  });
});
