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

describe('the workflow that builds the installers', () => {
  it('runs on the three systems, and keeps what each makes', () => {
    expect(strategy.matrix.include.map(({ os }) => os)).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
    const kept = strategy.matrix.include.map(({ files }) => files.match(/\.\w+$/gm));
    expect(kept).toEqual([['.AppImage', '.deb'], ['.dmg'], ['.exe']]);
  });

  it('tests before it packs, with scripts that there are', () => {
    const commands = steps.flatMap(({ run, if: condition }) => (run && !condition ? [run] : []));
    expect(commands).toEqual(['npm ci', 'npm test', 'npm run installers']);
    const script = packageJson.scripts.installers.replace('node ', '');
    expect(existsSync(new URL(`../../${script}`, import.meta.url))).toBe(true);
  });

  it('needs no secret and may write nothing', () => {
    expect(text).not.toMatch(/\bsecrets\b/);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('uses actions of GitHub alone, by their major version', () => {
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
  });

  it('puts nothing of an event into a command', () => {
    for (const { run } of steps) expect(run ?? '').not.toMatch(/\$\{\{/);
  });
});
