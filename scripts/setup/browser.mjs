import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/**
 * What the search looks at; a test passes its own.
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {string} home
 * @property {(path: string) => boolean} exists
 * @property {(folder: string) => string[]} list names in a folder; none where it is missing
 * @property {(path: string) => boolean} runs whether the program starts on this machine
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

/** Where Playwright's archives hold the program, by archive; the names changed over the years. */
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
 * A stub that only says "install the snap", or a browser whose libraries are missing, is no browser. Asked on Linux
 * alone: on Windows `--version` opens a window, and macOS has neither problem.
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
function usualPlaces(machine) {
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
 * A Chromium (or one of its relatives) for the end-to-end tests: the one that is named in CHROMIUM_PATH or CHROME_PATH,
 * else one that is installed, else Playwright's own.
 * @param {Machine} [machine]
 * @returns {string | null} the program's path
 */
export function findBrowser(machine = thisMachine) {
  const named = [machine.env['CHROMIUM_PATH'], machine.env['CHROME_PATH']].filter((path) => path !== undefined);
  const places = [...named, ...onPath(machine), ...usualPlaces(machine), ...inPlaywrightCache(machine)];
  return places.find((path) => path !== '' && machine.exists(path) && machine.runs(path)) ?? null;
}
