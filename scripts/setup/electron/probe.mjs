import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runChild } from '../child.mjs';
import { Interrupted } from '../failure.mjs';
import { inProject } from '../project.mjs';

const limitMs = 15_000;
const setuid = 0o4000;
/** Switches of Linux, each with the value that forbids user namespaces without privileges. */
const switches = [
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0'],
  ['/proc/sys/user/max_user_namespaces', '0'],
];

export function electronEnvironment() {
  // Some editors set ELECTRON_RUN_AS_NODE in their terminals, which makes Electron run as plain Node.
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  return env;
}

/**
 * Starts Electron once more, without the app, to read its output, and checks the needs of its sandbox.
 * @param {string} electron the program's path
 * @param {readonly string[]} switches of Chromium
 * @returns {Promise<Omit<import('./end.mjs').End, 'program' | 'code' | 'signal'>>}
 */
export async function examine(electron, switches) {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-probe-'));
  const facts = { helper: helperBeside(electron), forbidsNamespaces: forbidsNamespaces() };
  try {
    const args = [...switches, `--user-data-dir=${folder}`, inProject('scripts', 'setup', 'electron', 'empty-app.cjs')];
    const { code, output } = await runChild(electron, args, { limitMs, output: 'keep', env: electronEnvironment() });
    return { ...facts, output, startsEmpty: code === 0 };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return { ...facts, output: String(error), startsEmpty: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} electron
 * @returns {import('./end.mjs').End['helper']}
 */
function helperBeside(electron) {
  const stats = statSync(join(dirname(electron), 'chrome-sandbox'), { throwIfNoEntry: false });
  if (stats === undefined) return 'missing';
  return stats.uid === 0 && (stats.mode & setuid) !== 0 ? 'usable' : 'not-setuid';
}

function forbidsNamespaces() {
  return switches.some(([file = '', value]) => existsSync(file) && readFileSync(file, 'utf8').trim() === value);
}
