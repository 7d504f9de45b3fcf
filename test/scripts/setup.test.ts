import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprint } from '../../scripts/setup/inputs.mjs';
import { runChild } from '../../scripts/setup/child.mjs';
import { isInstalled } from '../../scripts/setup/dependencies.mjs';
import { projectEnvironment, projectNode } from '../../scripts/setup/project-node.mjs';

describe('the installed packages', () => {
  const wanted = {
    packages: {
      '': { version: '0.1.0' },
      'node_modules/zod': { version: '4.6.7' },
      'node_modules/only-on-windows': { version: '1.0.0', optional: true },
    },
  };

  it.each([
    ['everything', { 'node_modules/zod': { version: '4.6.7' } }, true],
    ['more than required', { 'node_modules/zod': { version: '4.6.7' }, 'node_modules/x': { version: '1.0.0' } }, true],
    ['another version', { 'node_modules/zod': { version: '4.6.6' } }, false],
    ['nothing', {}, false],
  ])('are compared with the lock file: %s', (_what, packages, same) => {
    expect(isInstalled(wanted, { packages })).toBe(same);
  });

  it('are missing if the list is empty', () => {
    expect(isInstalled(wanted, {})).toBe(false);
  });
});

describe('the hash of the sources', () => {
  let root: string;
  const mark = () => fingerprint(root, ['src', 'config.ts', 'missing']);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'broadsheet-mark-'));
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });
    writeFileSync(join(root, 'src', 'deep', 'a.ts'), 'one');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is stable while nothing changes', () => {
    expect(mark()).toBe(mark());
  });

  it.each([
    ['added', () => writeFileSync(join(root, 'src', 'b.ts'), 'two')],
    ['removed', () => rmSync(join(root, 'src', 'deep', 'a.ts'))],
    ['resized', () => writeFileSync(join(root, 'src', 'deep', 'a.ts'), 'longer')],
    ['touched', () => utimesSync(join(root, 'src', 'deep', 'a.ts'), 1, 1)],
  ])('changes when a file is %s', (_what, change) => {
    const before = mark();
    change();
    expect(mark()).not.toBe(before);
  });
});

describe("the environment of the project's Node", () => {
  it('puts it first on PATH, in the existing spelling of the variable', () => {
    const env = projectEnvironment({ Path: '/usr/bin' });
    expect(Object.keys(env)).toEqual(['NODE_COMPILE_CACHE', 'Path']);
    expect(env['Path']?.split(delimiter)).toEqual([join(projectNode, '..'), expect.any(String), '/usr/bin']);
  });

  it('creates PATH if it is missing', () => {
    expect(projectEnvironment({})['PATH']).toContain('node_modules');
  });

  it('keeps compiled modules in the project unless told otherwise', () => {
    expect(projectEnvironment({})['NODE_COMPILE_CACHE']).toContain(join('node_modules', '.cache'));
    expect(projectEnvironment({ NODE_COMPILE_CACHE: '/elsewhere' })['NODE_COMPILE_CACHE']).toBe('/elsewhere');
  });
});

describe('a child process', () => {
  const limitMs = 60_000;

  it('returns its exit status and the end of its output', async () => {
    const script = "console.log('out'); console.error('err'); process.exit(3)";
    const ended = await runChild(process.execPath, ['-e', script], { limitMs, output: 'keep' });
    expect(ended).toMatchObject({ code: 3, timedOut: false });
    expect(ended.output).toMatch(/out/);
    expect(ended.output).toMatch(/err/);
  });

  it('is killed after its time limit', async () => {
    const script = 'setInterval(() => undefined, 1000)';
    const ended = await runChild(process.execPath, ['-e', script], { limitMs: 200, output: 'keep' });
    expect(ended).toMatchObject({ code: 1, timedOut: true });
  });

  it('fails with an error code if it cannot be started', async () => {
    const started = runChild('no-such-program-here', [], { limitMs, output: 'keep' });
    await expect(started).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
