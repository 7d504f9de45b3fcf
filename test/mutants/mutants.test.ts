import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { isWhole } from '../support/proofs.ts';
import { MUTANTS } from './mutants.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(PROJECT, 'node_modules/vitest/vitest.mjs');

/** Runs tests against the code with one break; null: as it is. Returns how many failed. Errors: the run itself failed. */
async function run(mutant: number | null, files: readonly string[]): Promise<number> {
  const report = join(temporaryFolder(), 'report.json');
  const reporter = ['--reporter=json', `--outputFile.json=${report}`];
  const args = [VITEST, 'run', '--config', 'test/mutants/vitest.config.ts', ...reporter, '--bail=1', ...files];
  const env = { ...process.env, BROADSHEET_MUTANT: mutant === null ? '' : String(mutant), BROADSHEET_PROOFS: '' };
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: PROJECT, env }, (_error, out, err) => resolve(out + err));
  });
  const text = existsSync(report) ? readFileSync(report, 'utf8') : said;
  const { numTotalTests, numFailedTests } = JSON.parse(text) as { numTotalTests: number; numFailedTests: number };
  // Files that can't be loaded have no tests.
  if (numTotalTests === 0) throw new Error(text);
  return numFailedTests;
}

describe('the deliberate breaks', () => {
  it.each(MUTANTS)('have a place in the code, and leave code: $name', ({ file, code, by }) => {
    const parts = readFileSync(join(PROJECT, file), 'utf8').split(code);
    expect(parts).toHaveLength(2);
    expect(ts.transpileModule(parts.join(by), { reportDiagnostics: true }).diagnostics).toEqual([]);
  });
});

describe.runIf(isWhole)('the tests of what keeps data whole', () => {
  it('pass', async () => {
    expect(await run(null, [...new Set(MUTANTS.flatMap(({ caughtBy }) => caughtBy))])).toBe(0);
  });

  it.each(MUTANTS.map((mutant, index) => ({ ...mutant, index })))('notice that $name', async ({ index, caughtBy }) => {
    expect(await run(index, caughtBy)).toBeGreaterThan(0);
  });
});
