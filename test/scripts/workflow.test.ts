import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, string | number>;
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { 'runs-on': string; strategy: { matrix: { include: { os: string; files: string }[] } }; steps: Step[] }
  >;
}

const text = readFileSync(new URL('../../.github/workflows/installers.yml', import.meta.url), 'utf8');
const workflow = parse(text) as Workflow;
const { strategy, steps } = workflow.jobs['build']!;

describe('the workflow for installers', () => {
  it('runs on the three systems, and stores their installers', () => {
    expect(strategy.matrix.include.map(({ os }) => os)).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
    const kept = strategy.matrix.include.map(({ files }) => files.match(/\.\w+$/gm));
    expect(kept).toEqual([['.AppImage', '.deb'], ['.dmg'], ['.exe']]);
  });

  it('runs the tests before packing, with existing scripts', () => {
    const commands = steps.flatMap(({ run, if: condition }) => (run && !condition ? [run] : []));
    expect(commands).toEqual(['npm ci', 'npm test', 'npm run installers']);
    const script = packageJson.scripts.installers.replace('node ', '');
    expect(existsSync(new URL(`../../${script}`, import.meta.url))).toBe(true);
  });

  it('needs no secrets and has no write permission', () => {
    expect(text).not.toMatch(/\bsecrets\b/);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it("uses only GitHub's actions, by major version", () => {
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
  });

  it('uses no event data in commands', () => {
    for (const { run } of steps) expect(run ?? '').not.toMatch(/\$\{\{/);
  });
});
