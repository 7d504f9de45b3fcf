import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { MUTANTS } from './mutants.ts';

/** The number of the break in {@link MUTANTS}; empty for the code as it is. */
const MUTANT_VARIABLE = 'BROADSHEET_MUTANT';

const wanted = process.env[MUTANT_VARIABLE] ?? '';
const mutant = wanted === '' ? undefined : MUTANTS[Number(wanted)];

const breakCode: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  transform(code, id) {
    if (!mutant || !id.replaceAll('\\', '/').endsWith(`/${mutant.file}`)) return null;
    if (code.split(mutant.code).length !== 2) throw new Error(`No place to break in ${mutant.file}: ${mutant.name}`);
    return { code: code.replace(mutant.code, () => mutant.by), map: null };
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [breakCode],
  // Code with a break must not be kept for the next run.
  test: {
    fsModuleCache: false,
    include: ['test/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
