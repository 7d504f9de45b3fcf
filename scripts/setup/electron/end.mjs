import { constants } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} End how Electron ended by itself while it started
 * @property {string} program its path
 * @property {number | null} code the exit status; null after a signal
 * @property {NodeJS.Signals | null} signal
 * @property {string} output what Electron printed when it was started again without the app
 * @property {boolean} startsEmpty whether it started then
 * @property {'usable' | 'not-setuid' | 'missing'} helper the file `chrome-sandbox` beside the program
 * @property {boolean} forbidsNamespaces whether the system forbids user namespaces without privileges
 */

/**
 * @typedef {object} Explanation
 * @property {'sandbox' | 'library' | 'display' | 'crash' | 'app'} kind
 * @property {string} reason in a few words, without a full stop
 * @property {string[]} advice lines that say what to do
 */

/** Chromium's own messages in `zygote_host_impl_linux.cc`, `setuid_sandbox_host.cc` and `credentials.cc`. */
const noSandbox =
  /No usable sandbox|SUID sandbox helper binary|Failed to move to new namespace|FATAL:\S*credentials\.cc/;
const missingLibrary = /error while loading shared libraries: ([^\s:]+)|Library not loaded: (\S+)/;
const oldLibrary = /version `([\w.]+)' not found/;
const noDisplay =
  /Missing X server|cannot open display|platform failed to initialize|Failed to connect to Wayland display/i;

/** The exit status of a program that a shell could not start, often for want of a library. */
const notStarted = 127;
/** For a missing library and for a missing function in one. */
const windowsLibraryCodes = [0xc0000135, 0xc0000139];
const windowsFailure = 0x8000_0000;
/** A shell that runs a program for us adds this to the number of the signal. */
const signalBase = 128;
/** Signals of a process that aborts itself, as Chromium does without a sandbox. */
const fatalSignals = ['SIGTRAP', 'SIGABRT', 'SIGILL'];

/**
 * Explains why Electron ended while it started, and what to do.
 * @param {End} end
 * @returns {Explanation}
 */
export function explainEnd(end) {
  const signal = signalOf(end);
  return explainSandbox(end, signal) ?? explainLibrary(end) ?? explainDisplay(end) ?? explainRest(end, signal);
}

/**
 * @param {Pick<End, 'code' | 'signal'>} end
 * @returns {string | null} the signal that ended it, perhaps through a shell
 */
export function signalOf({ code, signal }) {
  if (signal !== null) return signal;
  if (code === null) return null;
  const [name] = Object.entries(constants.signals).find(([, number]) => number === code - signalBase) ?? [];
  return name ?? null;
}

/**
 * @param {End} end
 * @param {string | null} signal
 * @returns {Explanation | null}
 */
function explainSandbox({ program, output, helper, forbidsNamespaces, startsEmpty }, signal) {
  // Without Chromium's message: a fatal error where neither kind of sandbox can work.
  const isLikely =
    !startsEmpty && forbidsNamespaces && helper !== 'usable' && signal !== null && fatalSignals.includes(signal);
  if (!noSandbox.test(output) && !isLikely) return null;
  const reason = 'this system does not let Electron use its sandbox';
  const file = join(dirname(program), 'chrome-sandbox');
  if (helper === 'missing')
    return { kind: 'sandbox', reason, advice: [`${file} is missing. ${downloadAgain(program)}`] };
  if (helper === 'usable') {
    const advice = [
      `${file} has the rights it needs, but has no effect there: the disk may be mounted with "nosuid".`,
      'Move this folder to another disk.',
    ];
    return { kind: 'sandbox', reason, advice };
  }
  const advice = [
    'Ubuntu 23.10 and newer, among others, forbid the user namespaces that it needs. With these two commands, a helper of',
    'Electron can make the sandbox instead. Then run `npm start` again. They are needed again after each new Electron.',
    `  sudo chown root:root ${quoted(file)}`,
    `  sudo chmod 4755 ${quoted(file)}`,
  ];
  return { kind: 'sandbox', reason, advice };
}

/**
 * @param {End} end
 * @returns {Explanation | null}
 */
function explainLibrary({ code, output }) {
  const tooOld = oldLibrary.exec(output)?.[1];
  if (tooOld !== undefined) {
    const advice = ['Electron needs a newer version of this system.'];
    return { kind: 'library', reason: `this system is too old for Electron: it has no ${tooOld}`, advice };
  }
  const found = missingLibrary.exec(output);
  const onWindows = code !== null && windowsLibraryCodes.includes(code);
  if (found === null && code !== notStarted && !onWindows) return null;
  const name = found?.[1] ?? found?.[2];
  const reason = name === undefined ? 'a library of the system is missing' : `the library ${name} is missing`;
  if (onWindows) {
    const advice = ['Install the Media Feature Pack (Settings > Optional features), which editions named N lack.'];
    return { kind: 'library', reason, advice };
  }
  const advice = [
    'Install what Electron needs, then run `npm start` again:',
    '  Debian 12, Ubuntu 22.04:            sudo apt install libgtk-3-0 libnss3 libgbm1 libasound2',
    '  Debian 13, Ubuntu 24.04 and newer:  sudo apt install libgtk-3-0t64 libnss3 libgbm1 libasound2t64',
    '  Fedora:                             sudo dnf install gtk3 nss mesa-libgbm alsa-lib',
  ];
  return { kind: 'library', reason, advice };
}

/**
 * @param {End} end
 * @returns {Explanation | null}
 */
function explainDisplay({ output }) {
  if (!noDisplay.test(output)) return null;
  const advice = [
    'Check DISPLAY and WAYLAND_DISPLAY. Over ssh, use `ssh -X`, or open the address below through a tunnel.',
  ];
  return { kind: 'display', reason: 'the display does not answer', advice };
}

/**
 * @param {End} end
 * @param {string | null} signal
 * @returns {Explanation}
 */
function explainRest({ program, code, startsEmpty }, signal) {
  const crash = signal ?? (code !== null && code >= windowsFailure ? `0x${code.toString(16)}` : null);
  if (crash === null && startsEmpty) {
    const advice = ['The lines above say why, or logs/broadsheet.log in the data folder.'];
    return { kind: 'app', reason: `the app ended while it started, exit status ${code}`, advice };
  }
  const how = crash === null ? `Electron does not start, exit status ${code}` : `Electron crashed with ${crash}`;
  const advice = startsEmpty
    ? [
        'Run `npm start` again. Electron starts without the app: if it happens each time, please report the lines above.',
      ]
    : ['Run `npm start` again. If it happens each time, its files may be damaged.', downloadAgain(program)];
  return { kind: 'crash', reason: how, advice };
}

/** @param {string} program */
function downloadAgain(program) {
  const isOurs = dirname(program).endsWith(join('node_modules', 'electron', 'dist'));
  if (!isOurs) return `Install the Electron in ${dirname(program)} again.`;
  return `Delete ${dirname(program)}, and \`npm start\` downloads Electron again.`;
}

/** Quotes a path for a shell. @param {string} path */
function quoted(path) {
  return /^[\w./@%+=:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
