import { inProject } from '../setup/project.mjs';
import { runProjectNode } from '../setup/project-node.mjs';

/**
 * Runs vitest and shows its output.
 * @param {readonly string[]} args
 * @param {{ limitMs: number, browser: string | null, env?: NodeJS.ProcessEnv }} options browser: path of a Chromium
 */
export function runVitest(args, { limitMs, browser, env = {} }) {
  return runProjectNode([inProject('node_modules', 'vitest', 'vitest.mjs'), ...args], {
    limitMs,
    output: 'show',
    // Commands started by tests must not build, because other tests read the build.
    env: { BROADSHEET_SET_UP: '1', CHROMIUM_PATH: browser ?? '', ...env },
  });
}
