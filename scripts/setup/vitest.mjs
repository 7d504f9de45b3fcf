import { inProject } from './project.mjs';
import { runProjectNode } from './project-node.mjs';

/**
 * Runs vitest, its output shown.
 * @param {readonly string[]} args
 * @param {{ limitMs: number, browser: string | null, env?: NodeJS.ProcessEnv }} options browser: path of a Chromium
 */
export function runVitest(args, { limitMs, browser, env = {} }) {
  return runProjectNode([inProject('node_modules', 'vitest', 'vitest.mjs'), ...args], {
    limitMs,
    output: 'show',
    // The commands that the tests start find everything in place: they must not build while others read the build.
    env: { BROADSHEET_SET_UP: '1', CHROMIUM_PATH: browser ?? '', ...env },
  });
}
