import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { forwardSignals } from './child.mjs';
import { Failure } from './failure.mjs';
import { mayOpenBrowser, openPrivately } from './open-privately.mjs';
import { say } from './progress.mjs';
import { nodeCli } from './build.mjs';
import { appFlags, projectEnvironment, projectNode } from './project-node.mjs';

const readyLimitMs = 60_000;
const graceMs = 10_000;

/**
 * Finds the address in a line of the Node host's output.
 * @param {string} line
 * @returns {string | null}
 */
export function addressIn(line) {
  try {
    const { url } = JSON.parse(line);
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} url
 * @returns {Promise<() => Promise<void>>} removes what was needed for it
 */
async function openBrowser(url) {
  const nothing = () => Promise.resolve();
  if (!mayOpenBrowser({ platform: process.platform, env: process.env })) return nothing;
  try {
    const { default: open } = await import('open');
    return await openPrivately(url, async (file) => {
      const opener = await open(file);
      opener.on('error', () => undefined);
    });
  } catch {
    // Not an error: the address has been printed.
    return nothing;
  }
}

/**
 * Waits for the host's address.
 * @param {import('node:child_process').ChildProcess} host
 * @returns {Promise<string | null>} its address; null if it ended or printed none
 */
function addressOf(host) {
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve(null), readyLimitMs);
    const answer = (/** @type {string | null} */ url) => {
      clearTimeout(limit);
      resolve(url);
    };
    host.once('exit', () => answer(null));
    if (!host.stdout) return;
    createInterface({ input: host.stdout }).on('line', (line) => {
      const url = addressIn(line);
      if (url !== null) answer(url);
    });
  });
}

/**
 * Serves the app on 127.0.0.1 and opens it in the user's browser, until it is stopped.
 * @param {readonly string[]} args options of `broadsheet serve`
 * @returns {Promise<number>} the exit code
 */
export async function serveInBrowser(args) {
  let stopping = false;
  const stop = () => {
    stopping = true;
    host.stdin?.end();
    setTimeout(() => host.kill('SIGKILL'), graceMs).unref();
  };
  const stopForwarding = forwardSignals(stop);
  // The host stops when its stdin closes, so it ends with this command.
  const host = spawn(projectNode, [...appFlags, nodeCli, 'serve', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: projectEnvironment(),
  });
  const ended = new Promise((resolve) => host.once('close', (code) => resolve(code ?? 1)));
  const url = await addressOf(host);
  let tidyUp = () => Promise.resolve();
  if (url !== null && !stopping) {
    console.log(`Broadsheet is at ${url}`);
    say('Press Ctrl+C to stop.');
    tidyUp = await openBrowser(url);
  } else if (!stopping) {
    stop();
    stopping = false;
  }
  const code = await ended;
  await tidyUp();
  stopForwarding();
  if (stopping) return 0;
  throw new Failure(url === null ? 'The app did not start.' : `The app ended unexpectedly (exit status ${code}).`);
}
