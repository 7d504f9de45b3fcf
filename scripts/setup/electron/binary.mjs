import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeIn } from '../failure.mjs';
import { step } from '../progress.mjs';
import { inProject } from '../project.mjs';
import { proxyEnvironment } from './proxy.mjs';
import { runProjectNode } from '../project-node.mjs';

const packageFolder = inProject('node_modules', 'electron');
const downloadLimitMs = 10 * 60_000;
const probeLimitMs = 15_000;

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
  return existsSync(versionFile) && readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') === version;
}

const mirrorVariables = /^(npm_config_)?electron_mirror$/i;

/**
 * Checks quickly whether the download can work: on a network that drops packets, the download itself would take minutes to
 * fail. Skipped for a proxy or mirror, which the download supports.
 * @returns {Promise<string | null>} why not
 */
async function whyNoDownload() {
  if (Object.keys(proxyEnvironment(process.env)).length > 0) return null;
  if (Object.entries(process.env).some(([name, value]) => value && mirrorVariables.test(name))) return null;
  try {
    const signal = AbortSignal.timeout(probeLimitMs);
    await fetch('https://github.com/electron/electron/releases', { method: 'HEAD', redirect: 'manual', signal });
    return null;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return causeIn(cause) ?? 'the network is not responding';
  }
}

/** Since version 42, Electron downloads its binary at the first start, not during installation. */
function download() {
  return runProjectNode([join(packageFolder, 'install.js')], {
    limitMs: downloadLimitMs,
    output: 'keep',
    env: {
      ...proxyEnvironment(process.env),
      electron_config_cache: process.env['electron_config_cache'] ?? inProject('node_modules', '.cache', 'electron'),
    },
  });
}

/**
 * Returns the Electron program if it can open a window here, and downloads it if necessary.
 * @returns {Promise<{ path: string } | { reason: string }>}
 */
export async function ensureElectron() {
  const isRoot = process.getuid?.() === 0;
  const reason = whyNoWindow({ platform: process.platform, env: process.env, isRoot });
  return reason === null ? installElectron() : { reason };
}

/**
 * Returns the Electron program, and downloads it if necessary.
 * @returns {Promise<{ path: string } | { reason: string }>}
 */
export async function installElectron() {
  const there = installedElectron();
  if (there !== null) return { path: there };
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH'])
    return { reason: 'ELECTRON_OVERRIDE_DIST_PATH does not contain Electron' };
  const unreachable = await whyNoDownload();
  if (unreachable !== null) return { reason: `Electron cannot be downloaded: ${unreachable}` };
  const ended = await step('Downloading Electron (about 120 MB, the first time only)', download);
  const path = installedElectron();
  if (path !== null) return { path };
  const why = ended.timedOut ? 'timed out' : (causeIn(ended.output) ?? 'the download failed');
  return { reason: `Electron cannot be downloaded: ${why}` };
}
