import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultDataFolder } from '../../src-main/core/files/data-folder.ts';
import { resolveInvocation } from '../../src-main/node/invocation.ts';
import { runProgram } from '../../src-main/node/program.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hearShell } from './shells.ts';

describe('wrong usage ends with exit code 2, one line about the mistake, and a hint', () => {
  it.each<[name: string, args: string[], words: string]>([
    ['an unknown command', ['frobnicate'], "unknown command 'frobnicate'"],
    ['help about an unknown command', ['frobnicate', '--help'], "unknown command 'frobnicate'"],
    ['the command for help about one', ['help', 'frobnicate'], "unknown command 'frobnicate'"],
    ['help about an unknown command of a group', ['data', 'frobnicate', '--help'], "unknown command 'frobnicate'"],
    ['an unknown option', ['sync', '--everything'], "unknown option '--everything'"],
    ['an unknown option before the command', ['--everything', 'sync'], "unknown option '--everything'"],
    ['an argument too many', ['status', 'now'], 'too many arguments'],
    ['a list without a kind', ['list'], "missing required argument 'what'"],
    ['an unknown list', ['list', 'prices'], 'Allowed choices are items, picks, saved, hot, stories'],
    ['a flag of another list', ['list', 'hot', '--query', 'x'], "option '--query' cannot be used with 'list hot'"],
    ['unread stories', ['list', 'stories', '--unread'], "option '--unread' cannot be used with 'list stories'"],
    ['a limit of zero', ['list', 'items', '--limit', '0'], 'whole number from 1'],
    ['a negative limit', ['list', 'items', '--limit', '-1'], 'whole number from 1'],
    ['a limit that is not a number', ['list', 'items', '--limit', '1e3'], 'whole number from 1'],
    ['a limit without a value', ['list', 'items', '--limit'], 'argument missing'],
    ['an empty data folder, which would be the current one', ['sync', '--data', ''], 'must have 1 to 4096 characters'],
    ['an empty query', ['list', 'items', '--query', ''], 'must have 1 to 1000 characters'],
    ['a query that is too long', ['list', 'items', '--query', 'x'.repeat(1001)], 'must have 1 to 1000 characters'],
    ['an empty category', ['list', 'items', '--category='], 'must have 1 to 200 characters'],
    ['show without an id', ['show', 'item'], "missing required argument 'id'"],
    ['show of something else', ['show', 'price', 'x'], 'Allowed choices are item, story'],
    ['show of a story without an id', ['show', 'story'], "missing required argument 'id'"],
    ['an invalid story id', ['show', 'story', 'x'.repeat(129)], 'must have 1 to 128 characters'],
    ['an empty id', ['show', 'item', ''], 'must have 1 to 512 characters'],
    ['marking nothing', ['mark', 'read'], "missing required argument 'id'"],
    ['an unknown mark action', ['mark', 'later', 'x'], 'Allowed choices are read, unread, star, unstar'],
    ['a mark of an empty id', ['mark', 'read', 'x', ''], 'must have 1 to 512 characters'],
    ['a port out of range', ['serve', '--port', '65536'], 'whole number from 0 to 65535'],
    ['a port that is not a number', ['serve', '--port=http'], 'whole number from 0 to 65535'],
    ['an unknown demo', ['sync', '--demo', 'kind'], 'Allowed choices are standard, harsh'],
    [
      'a demo beside a service',
      ['sync', '--demo', 'harsh', '--news', 'http://x.example'],
      "cannot be used with option '--news",
    ],
    ['an address with another scheme', ['sync', '--news', 'ftp://example.org'], 'http or https address'],
    ['an invalid address', ['--news', 'example', 'status'], 'http or https address'],
    ['an address with a password', ['sync', '--news', 'https://me:secret@example.org'], 'without user name'],
    ['an address with a query', ['sync', '--models', 'https://example.org/?key=1'], 'without user name, query'],
  ])('%s', async (_name, args, words) => {
    const { shell, out, err } = hearShell();
    expect(await runProgram(args, '1.2.3', shell)).toBe(2);
    expect(out()).toBe('');
    const [line, hint, ...more] = err().trimEnd().split('\n');
    expect(line).toMatch(/^error: /);
    expect(line).toContain(words);
    expect(hint).toMatch(/^See broadsheet(?: [a-z]+)? --help\.$/);
    expect(more).toEqual([]);
  });

  it.each([
    [['list', 'prices'], 'list'],
    [['list', 'hot', '--query', 'x'], 'list'],
    [['settings', 'set', 'theme'], 'settings set'],
    [['frobnicate'], ''],
  ])('the hint names the command: %j', async (args, command) => {
    const { shell, err } = hearShell();
    expect(await runProgram(args, '1.2.3', shell)).toBe(2);
    expect(err()).toMatch(new RegExp(`\nSee ${`broadsheet ${command}`.trim()} --help\\.\n$`));
  });

  it.each(['BROADSHEET_NEWS_URL', 'BROADSHEET_MODELS_URL'])('an invalid address in %s', async (name) => {
    const { shell, err } = hearShell({ [name]: 'not an address' });
    expect(await runProgram(['status'], '1.2.3', shell)).toBe(2);
    expect(err()).toMatch(
      new RegExp(`^error: ${name} must be an http or https address.*\nSee broadsheet --help\\.\n$`),
    );
  });

  it.each(['with spaces in it', 'x'.repeat(513), 'nicht-für-Header'])(
    'an invalid key in BROADSHEET_MODELS_KEY, which is not printed: %s',
    async (key) => {
      const { shell, err } = hearShell({ BROADSHEET_MODELS_KEY: key });
      expect(await runProgram(['status'], '1.2.3', shell)).toBe(2);
      expect(err()).toMatch(/^error: BROADSHEET_MODELS_KEY must be .*\nSee broadsheet --help\.\n$/);
      expect(err()).not.toContain(key);
    },
  );

  it('a missing command: the help is on stderr, so that a script does not read it as a result', async () => {
    const { shell, out, err } = hearShell();
    expect(await runProgram([], '1.2.3', shell)).toBe(2);
    expect(out()).toBe('');
    expect(err()).toContain('Usage: broadsheet');
  });
});

describe('help and version', () => {
  it('are printed to stdout', async () => {
    const help = hearShell();
    expect(await runProgram(['list', '--help'], '1.2.3', help.shell)).toBe(0);
    for (const words of ['--query <text>', '--limit <n>', '--data <dir>', '--json', '--models <url>'])
      expect(help.out()).toContain(words);
    const version = hearShell();
    expect(await runProgram(['--version'], '1.2.3', version.shell)).toBe(0);
    expect(version.out()).toBe('1.2.3\n');
  });
});

describe('an invocation', () => {
  it('prefers options to the environment, and ignores empty variables', () => {
    const { shell } = hearShell({ BROADSHEET_DATA: '/from/environment', BROADSHEET_NEWS_URL: '' });
    expect(resolveInvocation({ data: '/from/option' }, shell).dataFolder).toBe(path.resolve('/from/option'));
    const { dataFolder, newsEnvironment, json } = resolveInvocation({}, shell);
    expect(dataFolder).toBe(path.resolve('/from/environment'));
    expect(newsEnvironment).toBeUndefined();
    expect(json).toBe(false);
  });

  it('keeps option and environment of the model service separate, and trims its key', () => {
    const { shell } = hearShell({ BROADSHEET_MODELS_URL: 'https://b.example', BROADSHEET_MODELS_KEY: ' a-key\n' });
    expect(resolveInvocation({ models: 'https://a.example' }, shell)).toMatchObject({
      modelsOption: 'https://a.example',
      modelsEnvironment: 'https://b.example',
      modelsKey: 'a-key',
    });
    expect(resolveInvocation({}, hearShell({ BROADSHEET_MODELS_KEY: ' ' }).shell).modelsKey).toBeUndefined();
  });

  it('uses the data folder of the platform', () => {
    const { env } = process;
    expect(defaultDataFolder({}, 'linux', '')).toBe(path.join(userInfo().homedir, '.local', 'share', 'broadsheet'));
    expect(defaultDataFolder({}, 'linux', '/home/r')).toBe(path.join('/home/r', '.local', 'share', 'broadsheet'));
    expect(defaultDataFolder({ XDG_DATA_HOME: '/data' }, 'linux', '/home/r')).toBe(path.join('/data', 'broadsheet'));
    expect(defaultDataFolder({ XDG_DATA_HOME: 'data' }, 'linux', '/home/r')).toContain('.local');
    const library = path.join('/Users/r', 'Library', 'Application Support', 'Broadsheet');
    expect(defaultDataFolder({}, 'darwin', '/Users/r')).toBe(library);
    expect(defaultDataFolder({ APPDATA: '/roaming' }, 'win32', '/r')).toBe(path.join('/roaming', 'Broadsheet'));
    expect(defaultDataFolder(env, 'darwin')).toContain(homedir());
  });
});

it('a command leaves no listener for signals behind, also when it fails', async () => {
  const { shell } = hearShell({ BROADSHEET_DATA: temporaryFolder() });
  const before = process.listenerCount('SIGINT');
  expect(await runProgram(['exports', 'run'], '1.2.3', shell)).toBe(1);
  expect(process.listenerCount('SIGINT')).toBe(before);
});
