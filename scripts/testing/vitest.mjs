import { inProject } from '../setup/project.mjs';
import { runProjectNode } from '../setup/project-node.mjs';

/**
 * Runs vitest and shows its output, unless it is kept for the caller.
 * @param {readonly string[]} args
 * @param {{ limitMs: number, browser: string | null, output?: 'show' | 'keep', env?: NodeJS.ProcessEnv }} options browser:
 *   path of a Chromium
 */
export function runVitest(args, { limitMs, browser, output = 'show', env = {} }) {
  return runProjectNode([inProject('node_modules', 'vitest', 'vitest.mjs'), ...args], {
    limitMs,
    output,
    // Commands started by tests must not build, because other tests read the build.
    env: { BROADSHEET_SET_UP: '1', CHROMIUM_PATH: browser ?? '', ...env },
  });
}
