import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';

const SETUP = resolve('scripts/setup/browser-download.mjs');
const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Runs the set-up of the browser where Chromium is there already. Programs of the system are scripts. */
function setUp(fcList: string, aptGet: string): { said: string; asked: string[] } {
  const folder = temporaryFolder();
  const log = join(folder, 'asked');
  const programs = { chromium: 'exit 0', 'fc-list': fcList, 'apt-get': `echo "$@" >> '${log}'; ${aptGet}` };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\ncd '${folder}'\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { ...process.env, PATH: `${folder}:/usr/bin:/bin`, CHROMIUM_PATH: join(folder, 'chromium') };
  const code = `const { ensureBrowser } = await import(${JSON.stringify(SETUP)}); console.log(await ensureBrowser());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    env,
  });
  expect(stdout.trim()).toBe(env.CHROMIUM_PATH);
  const asked = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return { said: stderr, asked };
}

describe.skipIf(process.platform !== 'linux')('where a browser is there, but no font for Chinese', () => {
  it.runIf(mayInstall)('one is installed', () => {
    const { said, asked } = setUp('cat font 2>/dev/null; exit 0', 'echo "Noto Sans CJK SC" > font');
    expect(asked.at(-1)).toMatch(/install -y --no-install-recommends fonts-noto-cjk fonts-noto-color-emoji$/);
    expect(said).not.toContain('skipped');
  });

  it('it is said which package has one, if it can’t be installed', () => {
    expect(setUp('exit 0', 'exit 1').said).toContain(
      'Tests that need Chinese glyphs are skipped: no font for Chinese is installed (in Debian: the package fonts-noto-cjk).',
    );
  });

  it.each([
    ['there is one', 'echo "Noto Sans CJK SC"'],
    ['that is unknown', 'exit 127'],
  ])('nothing is installed or said where %s', (_case, fcList) => {
    expect(setUp(fcList, 'exit 1')).toEqual({ said: '', asked: [] });
  });
});
