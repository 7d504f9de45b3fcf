import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { runNpmIn } from '../../scripts/setup/dependencies.mjs';

const root = join(import.meta.dirname, '../..');
const limitMs = 60_000;
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { hasInstallScript?: boolean }>;
};

/** npm compiles such a package if it has no install script. */
function isCompiled(path: string): boolean {
  return existsSync(join(root, path, 'binding.gyp'));
}

describe('the scripts of packages', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'broadsheet-scripts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("do not run when npm installs with the project's settings", async () => {
    const stranger = join(folder, 'stranger');
    mkdirSync(stranger);
    writeFileSync(
      join(stranger, 'package.json'),
      JSON.stringify({
        name: 'stranger',
        version: '1.0.0',
        scripts: { postinstall: `node -e "require('fs').writeFileSync('was-run', '')"` },
      }),
    );
    const project = join(folder, 'project');
    mkdirSync(project);
    cpSync(join(root, '.npmrc'), join(project, '.npmrc'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true }));
    const args = ['install', '--offline', '--install-links', stranger];
    // Variables that npm passes to the scripts it runs would override .npmrc.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
    const ended = await runNpmIn(project, args, { limitMs, env });
    expect(ended.output).not.toMatch(/npm error/);
    const installed = join(project, 'node_modules/stranger');
    expect(existsSync(join(installed, 'package.json'))).toBe(true);
    expect(existsSync(join(installed, 'was-run'))).toBe(false);
  });

  it('are named one by one, and none may run', () => {
    const withScripts = Object.entries(lock.packages)
      .filter(([path, { hasInstallScript }]) => path !== '' && (hasInstallScript ?? isCompiled(path)))
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(packageJson.allowScripts).sort()).toEqual([...new Set(withScripts)].sort());
    expect(new Set(Object.values(packageJson.allowScripts))).toEqual(new Set([false]));
  });

  it('are not needed: the native module comes compiled for every system', () => {
    const compiled = readdirSync(join(root, 'node_modules/better-sqlite3/prebuilds'));
    expect(compiled).toContain(`${process.platform}-${process.arch}.node`);
    expect(existsSync(join(root, 'node_modules/better-sqlite3/build'))).toBe(false);
  });

  it('of our own commands run all the same', async () => {
    cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'echo it ran' } }));
    const ended = await runNpmIn(folder, ['test'], { limitMs });
    expect(ended.output).toMatch(/^it ran$/m);
  });
});

it('a package whose content differs from its hash is not installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-hash-'));
  try {
    const stranger = join(folder, 'stranger');
    const project = join(folder, 'project');
    for (const each of [stranger, project]) mkdirSync(each);
    writeFileSync(join(stranger, 'package.json'), JSON.stringify({ name: 'stranger', version: '1.0.0' }));
    await promisify(execFile)('tar', ['-czf', join(project, 'stranger.tgz'), '-C', folder, 'stranger']);
    const spec = 'file:stranger.tgz';
    const dependencies = { optionalDependencies: { stranger: spec } };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', ...dependencies }));
    writeFileSync(
      join(project, 'package-lock.json'),
      JSON.stringify({
        name: 'project',
        lockfileVersion: 3,
        packages: {
          '': { name: 'project', ...dependencies },
          'node_modules/stranger': {
            version: '1.0.0',
            resolved: spec,
            integrity: `sha512-${'A'.repeat(86)}==`,
            optional: true,
          },
        },
      }),
    );
    await runNpmIn(project, ['ci', '--offline', '--no-audit'], { limitMs });
    expect(existsSync(join(project, 'node_modules/stranger/package.json'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
