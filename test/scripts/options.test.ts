import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inProject } from '../../scripts/setup/project.mjs';

const { scripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as { scripts: Record<string, string> };
/** The app has options of its own (npm start, npm run broadsheet); others are a script with options, such as test:changed. */
const commands = Object.entries(scripts).filter(([, line]) => /^node scripts\/(?!start)[\w-]+\.mjs$/.test(line));

function run(line: string, ...args: string[]) {
  const [, script = ''] = line.split(' ');
  const { status, stdout, stderr } = spawnSync(process.execPath, [inProject(script), ...args], {
    encoding: 'utf8',
    // A command that went on would fail at once, and not install, build or measure.
    env: { PATH: '' },
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

describe('each command of npm run', () => {
  it.each(commands)('%s lists its options with --help, and does nothing', (name, line) => {
    const { status, stdout, stderr } = run(line, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name}\\b`));
    expect(stdout).toContain('-h, --help');
  });

  // One function reads the options of all (scripts/setup/options.mjs).
  it('refuses an unknown option in one line, and does nothing', () => {
    expect(run(scripts['build'] ?? '', '--nonsense')).toEqual({
      status: 2,
      stdout: '',
      stderr: "broadsheet: Unknown option '--nonsense'. See npm run build -- --help\n",
    });
  });

  it.each([
    ['proofs', ['--seed', '-1'], 'broadsheet: '],
    ['soak', ['--minutes', '0'], '--minutes must be a whole number from 1 on'],
    ['bench', ['--items', '5000,many'], '--items must be a whole number from 1 on'],
    ['bench', ['--limit', '1'], '--limit must be a number above 1'],
    ['scale', ['many'], 'Unexpected argument'],
    ['test', ['--project', 'weather'], '--project must be one of main, renderer, e2e'],
  ])('%s refuses the wrong value of %j', (name, args, words) => {
    const { status, stdout, stderr } = run(scripts[name] ?? '', ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
