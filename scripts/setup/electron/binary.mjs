import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { causeIn, describeFailure, Failure, Interrupted } from '../failure.mjs';
import { step } from '../progress.mjs';
import { inProject } from '../project.mjs';
import { proxyEnvironment } from './proxy.mjs';
import { runProjectNode } from '../project-node.mjs';

const packageFolder = inProject('node_modules', 'electron');
const cacheFolder = inProject('node_modules', '.cache', 'electron');
/** Exists while the last download was too slow or failed. */
const slow = join(cacheFolder, 'slow');
const downloadLimitMs = 60 * 60_000;
/** How long the browser has to wait, because a window may still open; `again` is for a download known to be slow. */
const patienceMs = { first: 40_000, again: 2_000 };

/**
 * @typedef {object} NoElectron
 * @property {string} reason
 * @property {string[]} [advice]
 */

/** Returns the path of the program inside Electron's archive. @param {NodeJS.Platform} platform */
export function electronProgram(platform) {
  if (platform === 'darwin') return join('Electron.app', 'Contents', 'MacOS', 'Electron');
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * Explains why this computer cannot open a window; null if it can.
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv, isRoot: boolean }} machine
 * @returns {string | null}
 */
export function whyNoWindow({ platform, env, isRoot }) {
  if (platform !== 'linux') return null;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'there is no display';
  // --no-sandbox would work, but an app that shows untrusted text must not run without a sandbox.
  return isRoot ? 'Electron does not run as root' : null;
}

/** @returns {string | null} the installed program */
function installedElectron() {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const folder = override ?? join(packageFolder, 'dist');
  const path = join(folder, electronProgram(process.platform));
  if (!existsSync(path)) return null;
  return override !== undefined || isRightVersion(folder) ? path : null;
}

/** @param {string} folder */
function isRightVersion(folder) {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const versionFile = join(folder, 'version');
  // Electron's installer writes the second file when everything is unpacked.
  if (![versionFile, join(folder, '..', 'path.txt')].every((file) => existsSync(file))) return false;
  return readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') === version;
}

/**
 * Since version 42, Electron downloads its binary at the first start, not during installation.
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} the program
 */
async function download(signal) {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, 'download-'));
  try {
    return await step(
      'Downloading Electron (about 120 MB, the first time only)',
      async () => {
        const ended = await install(folder, signal);
        const path = installedElectron();
        if (path !== null) return path;
        throw new Failure(ended.timedOut ? 'timed out' : (causeIn(ended.output) ?? 'the download failed'));
      },
      () => sizeOf(folder),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder where the download is until it is complete
 * @param {AbortSignal} [signal]
 */
function install(folder, signal) {
  const causes = new URL('fetch-causes.mjs', import.meta.url).href;
  return runProjectNode(['--import', causes, join(packageFolder, 'install.js')], {
    limitMs: downloadLimitMs,
    output: 'keep',
    ...(signal && { signal }),
    env: {
      ...proxyEnvironment(process.env),
      TMPDIR: folder,
      TEMP: folder,
      TMP: folder,
      electron_config_cache: process.env['electron_config_cache'] ?? cacheFolder,
    },
  });
}

/** @param {string} folder */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  return `${Math.round(bytes / 1e6)} MB`;
}

const mirrorAdvice = ['ELECTRON_MIRROR can name another server for it (docs/electron.md).'];

/**
 * Returns the Electron program if it can open a window here, and downloads it if necessary. A slow download continues while
 * the app is served to the browser: `later` is its end.
 * @param {AbortSignal} signal ends the download
 * @returns {Promise<{ path: string } | (NoElectron & { later?: Promise<{ path: string } | NoElectron> })>}
 */
export async function ensureElectron(signal) {
  const isRoot = process.getuid?.() === 0;
  const reason = whyNoWindow({ platform: process.platform, env: process.env, isRoot });
  if (reason !== null) return { reason };
  const later = installElectron(signal);
  const patience = existsSync(slow) ? patienceMs.again : patienceMs.first;
  const soon = await Promise.race([later, delay(patience, null, { ref: false })]);
  if (soon !== null) return soon;
  rememberSlow();
  return { reason: 'Electron is still being downloaded', advice: mirrorAdvice, later };
}

function rememberSlow() {
  try {
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(slow, '');
  } catch {
    // On a read-only disk, where nothing can be downloaded either.
  }
}

/**
 * Returns the Electron program, and downloads it if necessary.
 * @param {AbortSignal} [signal] ends the download
 * @returns {Promise<{ path: string } | NoElectron>}
 */
export async function installElectron(signal) {
  const there = installedElectron();
  if (there !== null) return { path: there };
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'])
    return { reason: 'ELECTRON_OVERRIDE_DIST_PATH does not contain Electron' };
  try {
    const path = await download(signal);
    rmSync(slow, { force: true });
    return { path };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    rememberSlow();
    return { reason: `Electron cannot be downloaded: ${describeFailure(error)}`, advice: mirrorAdvice };
  }
}
