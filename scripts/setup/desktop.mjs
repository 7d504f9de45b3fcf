import { spawn } from 'node:child_process';
import { forwardSignals } from './child.mjs';
import { projectRoot } from './project.mjs';

const startUpMs = 5_000;

/**
 * Opens the desktop app and waits until it is closed.
 * @param {string} electron the program's path
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number, failedAtOnce: boolean }>} failedAtOnce: it never came as far as a window (a missing
 *   system library, a sandbox that the system forbids)
 */
export async function openDesktop(electron, args) {
  const begun = Date.now();
  // Some editors set it for their terminals; with it Electron is a plain Node and opens nothing.
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  const app = spawn(electron, [projectRoot, ...args], { stdio: 'inherit', env });
  let stopping = false;
  const stopForwarding = forwardSignals((signal) => {
    stopping = true;
    app.kill(signal);
  });
  const code = await new Promise((resolve) => {
    app.once('error', () => resolve(1));
    app.once('close', (status) => resolve(status ?? 1));
  });
  stopForwarding();
  if (stopping) return { code: 0, failedAtOnce: false };
  return { code, failedAtOnce: code !== 0 && Date.now() - begun < startUpMs };
}
