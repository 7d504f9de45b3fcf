import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/**
 * The system to search; tests pass a fake one.
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {string} home
 * @property {(path: string) => boolean} exists
 * @property {(folder: string) => string[]} list names in a folder; empty if it is missing
 * @property {(path: string) => boolean} runs whether the program starts
 */

/** @type {Machine} */
const thisMachine = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  exists: existsSync,
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
  runs: startsHere,
};

const namesOnPath = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

const macApplications = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
];

/** Paths of the program inside Playwright's archives; the names have changed over the years. */
const playwrightPrograms = [
  ['chrome-linux64', 'chrome'],
  ['chrome-linux', 'chrome'],
  ['chrome-mac-arm64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
  ['chrome-mac-x64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
  ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
  ['chrome-win64', 'chrome.exe'],
  ['chrome-win', 'chrome.exe'],
  ['chrome-headless-shell-linux64', 'chrome-headless-shell'],
  ['chrome-linux', 'headless_shell'],
];

/**
 * Excludes stubs that only print "install the snap" and browsers with missing libraries. Only on Linux: on Windows
 * `--version` opens a window, and macOS has neither problem.
 * @param {string} path
 */
function startsHere(path) {
  if (process.platform !== 'linux') return true;
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 15_000 }).status === 0;
}

/** @param {Machine} machine */
function pathsOf({ platform }) {
  return platform === 'win32' ? win32 : posix;
}

/** @param {Machine} machine */
function onPath(machine) {
  const { join, delimiter } = pathsOf(machine);
  const ending = machine.platform === 'win32' ? '.exe' : '';
  const folders = (machine.env['PATH'] ?? machine.env['Path'] ?? '').split(delimiter).filter(Boolean);
  return namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name + ending)));
}

/** @param {Machine} machine */
function usualPaths(machine) {
  const { join } = pathsOf(machine);
  const { platform, env, home } = machine;
  if (platform === 'darwin') {
    return macApplications.flatMap((name) =>
      ['/', home].map((base) => join(base, 'Applications', `${name}.app`, 'Contents', 'MacOS', name)),
    );
  }
  if (platform !== 'win32') return [];
  const bases = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']];
  return bases.flatMap((base) => (base ? windowsPrograms.map((parts) => join(base, ...parts)) : []));
}

/** @param {Machine} machine */
function playwrightCache(machine) {
  const { join } = pathsOf(machine);
  const { platform, env, home } = machine;
  const set = env['PLAYWRIGHT_BROWSERS_PATH'];
  if (set) return set;
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'ms-playwright');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? home, 'ms-playwright');
  return join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'ms-playwright');
}

/** @param {Machine} machine */
function inPlaywrightCache(machine) {
  const { join } = pathsOf(machine);
  const cache = playwrightCache(machine);
  const revision = (/** @type {string} */ name) => Number(name.split('-').at(-1));
  return machine
    .list(cache)
    .filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
    .sort((a, b) => Number(a.includes('_')) - Number(b.includes('_')) || revision(b) - revision(a))
    .flatMap((name) => playwrightPrograms.map((parts) => join(cache, name, ...parts)));
}

/**
 * Finds Chromium, Chrome or Edge for the end-to-end tests: from CHROMIUM_PATH or CHROME_PATH, else an installed one, else
 * Playwright's.
 * @param {Machine} [machine]
 * @returns {string | null} the program's path
 */
export function findBrowser(machine = thisMachine) {
  const named = [machine.env['CHROMIUM_PATH'], machine.env['CHROME_PATH']].filter((path) => path !== undefined);
  const paths = [...named, ...onPath(machine), ...usualPaths(machine), ...inPlaywrightCache(machine)];
  return paths.find((path) => path !== '' && machine.exists(path) && machine.runs(path)) ?? null;
}
