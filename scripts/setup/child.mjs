import { spawn } from 'node:child_process';
import { Interrupted } from './failure.mjs';
import { whenLauncherIsGone } from './launcher.mjs';

const onWindows = process.platform === 'win32';
const graceMs = 5_000;
const usuallyKept = 64 * 1024;

/**
 * @typedef {object} Ended
 * @property {number} code the exit status; 1 after a signal or timeout
 * @property {boolean} timedOut
 * @property {string} output the last part of stdout and stderr, if kept
 */

/**
 * @typedef {object} ChildOptions
 * @property {number} limitMs after which the child and its descendants are killed
 * @property {'show' | 'keep'} output pass through, or keep for the caller
 * @property {number} [kept] how many characters of the output are kept, from the end; 64 Ki unless given
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {boolean} [shell] for a .cmd file on Windows
 * @property {AbortSignal} [signal] kills the child and its descendants
 */

/**
 * Sends a signal to a child and its process group.
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
    // The group has already ended.
  }
}

/**
 * Forwards signals that end a command to its child. Called before the child is spawned: a signal between the two would end
 * this command only, and leave a child in a process group of its own running. The end of the launcher counts as a signal too,
 * because npm does not pass signals on to scripts.
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
 * Keeps the last part of a child's output, which has the reason of a failed build.
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} limit in characters
 */
function keepOutput(child, limit) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output = (output + String(text)).slice(-limit);
    });
  }
  return () => output;
}

/**
 * Runs a program with a time limit, in a separate process group so that no process is left running. Rejects with the
 * system's error if it cannot be started, with `Interrupted` if a signal stopped this command.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {ChildOptions} options
 * @returns {Promise<Ended>}
 */
export function runChild(program, args, { limitMs, output, kept = usuallyKept, env, cwd, shell, signal }) {
  const shown = output === 'show';
  /** @type {NodeJS.Signals | undefined} */
  let stoppedBy;
  const stopForwarding = forwardSignals((signal) => {
    stoppedBy = signal;
    end(signal);
  });
  const child = spawn(program, args, {
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
    detached: !onWindows,
    ...(env && { env }),
    ...(cwd && { cwd }),
    ...(shell && { shell }),
  });
  const keptOutput = keepOutput(child, kept);
  let timedOut = false;
  const end = (/** @type {NodeJS.Signals} */ signal) => {
    signalTree(child, signal);
    setTimeout(() => signalTree(child, 'SIGKILL'), graceMs).unref();
  };
  const limit = setTimeout(() => {
    timedOut = true;
    end('SIGTERM');
  }, limitMs);
  const abort = () => end('SIGTERM');
  signal?.addEventListener('abort', abort);
  const settled = () => {
    clearTimeout(limit);
    signal?.removeEventListener('abort', abort);
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
      else resolve({ code: timedOut ? 1 : (code ?? 1), timedOut, output: keptOutput() });
    });
  });
}
