import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** In ms. A browser that has to start on a busy computer has read the file by then. */
const keptMs = 60_000;

/** Returns a page that redirects to an address at once. @param {string} address */
export function redirectPage(address) {
  const safe = address.replace(/[^\w:/?=.#%-]/g, encodeURIComponent);
  return [
    '<!doctype html>',
    '<meta charset="utf-8" />',
    '<meta name="referrer" content="no-referrer" />',
    `<meta http-equiv="refresh" content="0; url=${safe}" />`,
    '<title>Broadsheet</title>',
    `<a href="${safe}">Open Broadsheet</a>`,
    '',
  ].join('\n');
}

/**
 * Returns false in CI, and on Linux without a display.
 * @param {{ platform: NodeJS.Platform, env: Readonly<Record<string, string | undefined>> }} machine
 */
export function mayOpenBrowser({ platform, env }) {
  if (env['CI'] || env['BROWSER'] === 'none') return false;
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/**
 * Returns a folder that browsers can read: one from a Snap package, as on Ubuntu, has its own /tmp, but reads the home
 * folder.
 */
function placeForBrowsers() {
  return process.platform === 'linux' && existsSync('/snap/bin') ? homedir() : tmpdir();
}

/**
 * Opens an address that contains a secret without passing it to another program: all users of a computer can read the
 * arguments of every process. The program gets a file that only this user can read and that leads to the address. The file
 * is removed after a minute.
 * @param {string} address
 * @param {(file: string) => Promise<unknown>} open opens a file in the browser
 * @returns {Promise<() => Promise<void>>} removes the file at once
 */
export async function openPrivately(address, open) {
  // The folder has mode 0700 and a name that nobody can know in advance.
  const folder = await mkdtemp(join(placeForBrowsers(), 'broadsheet-open-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = join(folder, 'open.html');
  try {
    await writeFile(file, redirectPage(address), { flag: 'wx', mode: 0o600 });
    await open(file);
  } catch (error) {
    await remove();
    throw error;
  }
  setTimeout(() => void remove(), keptMs).unref();
  return remove;
}
