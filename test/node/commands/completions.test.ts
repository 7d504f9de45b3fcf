import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { programTree } from '../../../src-main/node/command-table.ts';
import { everyCommand, shownOptions } from '../../../src-main/node/command.ts';
import { candidatesOf, type Candidates } from '../../../src-main/node/commands/completions.ts';
import { SHELLS } from '../../../src-main/node/commands/shell-commands.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { runHere } from '../shells.ts';

const program = programTree();

const has = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;

describe('what is offered at a place of the command line', () => {
  let offered: Candidates;
  const words = (place: string): string[] => (offered.places.get(place) ?? []).map(({ word }) => word);
  beforeAll(() => (offered = candidatesOf(program)));

  it('is read from the definitions of the commands', () => {
    expect(words(' 0')).toEqual(expect.arrayContaining(['sync', 'list', 'settings', 'completion', 'man']));
    expect(words('/settings 0')).toEqual(['list', 'get', 'set', 'unset']);
    expect(words('/mark 0')).toEqual(['read', 'unread', 'star', 'unstar']);
    expect(words('/export --format')).toEqual(['atom', 'jsonfeed', 'csv', 'md', 'html', 'json', 'epub']);
    expect(words('/list options')).toEqual(
      expect.arrayContaining(['--query', '--limit', '--data', '--json', '--help']),
    );
    expect(words('/settings/set 1 theme')).toEqual(['system', 'light', 'dark']);
    expect(words('/settings/set 0')).toContain('apiKey');
    expect(words(' --demo')).toEqual(['standard', 'harsh']);
    expect([offered.files.get(' --data'), offered.files.get('/data/import 0')]).toEqual(['folder', 'file']);
  });

  it('has no option that takes a value in one command and none in another', () => {
    const options = [...everyCommand(program)].flatMap(shownOptions);
    const switches = options.filter(({ value }) => value === undefined).flatMap(({ names }) => names);
    expect(switches.filter((name) => offered.valued.includes(name))).toEqual([]);
  });

  it('has no word that a shell would take apart', () => {
    for (const [place, some] of offered.places) for (const { word } of some) expect(word, place).toMatch(/^[\w.+-]+$/);
  });
});

describe('the command completion', () => {
  it.each(SHELLS)('prints a script for %s that needs no data folder', async (shell) => {
    const { code, out, err } = await runHere(['completion', shell], { BROADSHEET_NEWS_URL: 'not an address' });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('/settings/set 1 theme');
    expect(out).toContain(shell === 'powershell' ? 'Register-ArgumentCompleter' : 'model-changes');
    // A description with a quote must not end its string.
    expect(out).toContain(
      shell === 'powershell' ? "the service''s guide" : shell === 'bash' ? 'monthly' : 'the service',
    );
  });

  it('refuses another shell', async () => {
    expect(await runHere(['completion', 'csh'])).toMatchObject({ code: 2 });
  });

  it('works in bash', async ({ skip }) => {
    skip(!has('bash'), 'there is no bash');
    const file = join(temporaryFolder(), 'completion.bash');
    writeFileSync(file, (await runHere(['completion', 'bash'])).out);
    const ask = (...typed: string[]): string => {
      const script = `source "$0"; COMP_WORDS=(broadsheet "$@"); COMP_CWORD=$#; _broadsheet; echo "\${COMPREPLY[*]}"`;
      return spawnSync('bash', ['--norc', '-c', script, file, ...typed], { encoding: 'utf8' }).stdout.trim();
    };
    expect(ask('set')).toBe('settings');
    expect(ask('settings', 'set', 'theme', '')).toBe('system light dark');
    expect(ask('show', 'daily', '')).toBe('latest');
    expect(ask('open', 'weekly', '')).toBe('latest');
    expect(ask('list', '--limit', '5', 'model')).toBe('models model-changes');
    expect(ask('list', 'items', '--demo', '=', 'h')).toBe('harsh');
    expect(ask('--json', 'export', 'daily', 'latest', '--format', '')).toBe('atom jsonfeed csv md html json epub');
    expect(ask('--data', file.slice(0, file.lastIndexOf('/')))).not.toBe('');
    expect(ask('search', '')).toBe('');
  });

  it.each(['zsh', 'fish'])('is understood by %s', async (shell) => {
    if (!has(shell)) return;
    const file = join(temporaryFolder(), 'completion');
    writeFileSync(file, (await runHere(['completion', shell])).out);
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    if (shell !== 'fish') return;
    const ask = (line: string) => {
      const script = `source '${file}'; complete -C'${line}'`;
      return spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' }).stdout.trim().split('\n');
    };
    expect(ask('broadsheet settings set theme ').sort()).toEqual(['dark', 'light', 'system']);
    expect(ask('broadsheet list --limit 5 hot')).toEqual(['hot']);
    expect(ask('broadsheet show ag')).toEqual(['agent']);
  });
});

describe('the manual page', () => {
  it('describes every command and option in plain roff', async () => {
    const { code, out, err } = await runHere(['man']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^\.TH BROADSHEET 1 "[\d-]{10}" "Broadsheet 1\.2\.3" "User Commands"$/m);
    for (const { path, commands } of everyCommand(program)) {
      if (path.length > 0 && commands.length === 0)
        expect(out).toMatch(new RegExp(`^\\.SS ${path.join(' ').replaceAll('-', '\\\\-')}( |$)`, 'm'));
    }
    expect(out).toContain('\\fB\\-\\-query\\fR \\fItext\\fR');
    // Other than ASCII is named, and no text begins a macro.
    expect(out).toMatch(/^[\x20-\x7e\n]*$/);
    const macros = [...out.matchAll(/^\.(\w+)/gm)].map(([, name]) => name);
    expect([...new Set(macros)].sort()).toEqual(
      ['B', 'I', 'PP', 'RI', 'RS', 'RE', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf'].sort(),
    );
    expect(macros.filter((name) => name === 'nf')).toHaveLength(macros.filter((name) => name === 'fi').length);
  });

  it('has the date of the version in the changelog', async () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    const [, version, released] = /^## (\d\S+) \((\S+)\)$/m.exec(changelog) ?? [];
    expect(version).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
    expect((await runHere(['man'])).out).toContain(`.TH BROADSHEET 1 "${released}" `);
  });

  it('has no mistake that mandoc finds', async ({ skip }) => {
    const { out } = await runHere(['man']);
    const { error, status, stdout } = spawnSync('mandoc', ['-Tlint'], { input: out, encoding: 'utf8' });
    skip(error !== undefined, 'there is no mandoc');
    expect([status, stdout]).toEqual([0, '']);
  });

  it('has no mistake that groff finds', async () => {
    if (!has('groff')) return;
    const { out } = await runHere(['man']);
    expect(spawnSync('groff', ['-man', '-ww', '-z'], { input: out, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});
