import { spawn } from 'node:child_process';
import { Interrupted } from './failure.mjs';
import { whenLauncherIsGone } from './launcher.mjs';

const onWindows = process.platform === 'win32';
const graceMs = 5_000;
const keptOutput = 64 * 1024;

/**
 * @typedef {object} Ended
 * @property {number} code the exit status; 1 where a signal or the time limit ended the child
 * @property {boolean} timedOut
 * @property {string} output the last 64 KiB of both outputs, where they were kept
 */

/**
 * @typedef {object} ChildOptions
 * @property {number} limitMs after which the child and all that it started are ended
 * @property {'show' | 'keep'} output passed through, or kept for the caller
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {boolean} [shell] for a .cmd file on Windows
 */

/**
 * Ends a child that leads a process group, and everything in the group.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalTree(child, signal) {
  if (child.pid === undefined) return;
  if (onWindows) {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/**
 * Passes the signals that end a command on to its child while the child runs. The launcher's death counts as one: npm
 * keeps the signals that it gets to itself and a shell.
 * @param {(signal: NodeJS.Signals) => void} forward
 * @returns {() => void} stops forwarding
 */
export function forwardSignals(forward) {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const stopWatching = whenLauncherIsGone(() => forward('SIGTERM'));
  return () => {
    stopWatching();
    for (const signal of signals) process.off(signal, forward);
  };
}

/**
 * Keeps the end of what a child writes: a failed build says why in its last lines.
 * @param {import('node:child_process').ChildProcess} child
 */
function keepOutput(child) {
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      kept = (kept + String(text)).slice(-keptOutput);
    });
  }
  return () => kept;
}

/**
 * Runs a program to its end, within a time limit, in a process group of its own so that nothing of it is left behind.
 * Rejects with the system's error where it cannot be started, with `Interrupted` where a signal stopped this command.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {ChildOptions} options
 * @returns {Promise<Ended>}
 */
export function runChild(program, args, { limitMs, output, env, cwd, shell }) {
  const shown = output === 'show';
  const child = spawn(program, args, {
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
    detached: !onWindows,
    ...(env && { env }),
    ...(cwd && { cwd }),
    ...(shell && { shell }),
  });
  const kept = keepOutput(child);
  /** @type {NodeJS.Signals | undefined} */
  let stoppedBy;
  let timedOut = false;
  const end = (/** @type {NodeJS.Signals} */ signal) => {
    signalTree(child, signal);
    setTimeout(() => signalTree(child, 'SIGKILL'), graceMs).unref();
  };
  const limit = setTimeout(() => {
    timedOut = true;
    end('SIGTERM');
  }, limitMs);
  const stopForwarding = forwardSignals((signal) => {
    stoppedBy = signal;
    end(signal);
  });
  const settled = () => {
    clearTimeout(limit);
    stopForwarding();
  };
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      settled();
      reject(error);
    });
    child.on('close', (code) => {
      settled();
      if (stoppedBy) reject(new Interrupted(stoppedBy));
      else resolve({ code: timedOut ? 1 : (code ?? 1), timedOut, output: kept() });
    });
  });
}
