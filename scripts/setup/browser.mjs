import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// The headless shell first: it shows the same pages without a browser around them, in less time.
const namesOnPath = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

/**
 * Finds Chromium, Chrome or Edge for the end-to-end tests: the one of CHROMIUM_PATH, else one on PATH, else Playwright's.
 * @param {{ env?: NodeJS.ProcessEnv, own?: () => Promise<string> }} [machine] own: path of Playwright's
 * @returns {Promise<string | null>} the program's path
 */
export async function findBrowser({ env = process.env, own = playwrights } = {}) {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(Boolean);
  const onPath = namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name)));
  const paths = [env['CHROMIUM_PATH'] ?? '', ...onPath, await own()];
  return paths.find((path) => existsSync(path) && startsHere(path)) ?? null;
}

async function playwrights() {
  const { chromium } = await import('playwright');
  return chromium.executablePath();
}

/**
 * Excludes stubs that only print "install the snap" and browsers with missing libraries. Only on Linux: on Windows
 * `--version` opens a window, and macOS has neither problem.
 * @param {string} path
 */
function startsHere(path) {
  if (process.platform !== 'linux') return true;
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 15_000 }).status === 0;
}
