import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forwardSignals } from '../child.mjs';
import { explainEnd, signalOf } from './end.mjs';
import { electronEnvironment, examine } from './probe.mjs';
import { Failure } from '../failure.mjs';
import { oneOf, parseOptions } from '../options.mjs';
import { say } from '../progress.mjs';
import { projectRoot } from '../project.mjs';

const startUpMs = 5_000;
/** Not all of Chromium's: a mistyped option should be noticed, and some switches weaken the sandbox. */
const switches = /^--(?:disable-gpu|(?:ozone-platform|force-device-scale-factor|password-store)=.+)$/;

/** @satisfies {Record<string, import('../options.mjs').Option>} */
const options = /** @type {const} */ ({
  data: {
    type: 'string',
    value: 'DIR',
    about: 'the data folder',
    fault: (text) => (text === '' ? 'needs a folder' : null),
  },
  news: { type: 'string', value: 'URL', about: 'the news service', fault: addressFault },
  models: { type: 'string', value: 'URL', about: 'the model gateway', fault: addressFault },
  demo: {
    type: 'string',
    value: 'KIND',
    about: 'the built-in demo service: standard or harsh',
    fault: oneOf(['standard', 'harsh']),
  },
});

/** The desktop app, as `npm start` opens it. Chromium gets its switches besides. */
export const startCommand = {
  name: 'start',
  about: `Installs and builds what is missing, and opens the app, in a browser if no window can be opened.
Chromium gets --disable-gpu, --ozone-platform=NAME, --force-device-scale-factor=NUMBER and --password-store=NAME.`,
  options,
};

/** Finds Chromium's own switches, which the app gets as they are. @param {string} arg */
export function isSwitch(arg) {
  return switches.test(arg);
}

/**
 * Turns options into environment variables for the desktop app, because Electron silently ignores unknown options.
 * @param {readonly string[]} args
 * @returns {Record<string, string>}
 */
export function desktopEnvironment(args) {
  const { values } = parseOptions(
    startCommand,
    args.filter((arg) => !isSwitch(arg)),
  );
  const { data, news, models, demo } = values;
  if (demo !== undefined && news !== undefined) throw new Failure('Use either --demo or --news.');
  return {
    ...(data !== undefined && { BROADSHEET_DATA: data }),
    ...(news !== undefined && { BROADSHEET_NEWS_URL: news }),
    ...(models !== undefined && { BROADSHEET_MODELS_URL: models }),
    ...(demo !== undefined && { BROADSHEET_DEMO: demo }),
  };
}

/** Checks the same as `contract/addresses.ts`, which this Node may be too old to load. @param {string} text */
function addressFault(text) {
  const fault = 'must be an http or https address without user name, query and fragment';
  if (!URL.canParse(text)) return fault;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash ? null : fault;
}

/**
 * Opens the desktop app and waits until it is closed.
 * @param {string} electron the program's path
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number } | import('./end.mjs').Explanation>} the exit code, or why it ended before
 *   opening a window
 */
export async function openDesktop(electron, args) {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-start-'));
  try {
    return await runApp(electron, args, join(folder, 'quit'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} electron
 * @param {readonly string[]} args
 * @param {string} quitFile which the app creates if it ends itself by a signal, because quitting took too long
 * @returns {ReturnType<typeof openDesktop>}
 */
async function runApp(electron, args, quitFile) {
  const begun = Date.now();
  const env = { ...electronEnvironment(), ...desktopEnvironment(args), BROADSHEET_QUIT_FILE: quitFile };
  let stopping = false;
  const stopForwarding = forwardSignals((signal) => {
    if (!stopping) app.kill(signal);
    stopping = true;
  });
  // The app inherits stderr from the terminal: a pipe would break for programs that the app has opened when this one
  // ends. In its own process group: a terminal sends Ctrl+C to the whole group of this command, and Electron quits on
  // the first signal of any kind, but dies of the second.
  const given = args.filter(isSwitch);
  const app = spawn(electron, [...given, projectRoot], {
    stdio: 'inherit',
    env,
    detached: process.platform !== 'win32',
  });
  /** @type {{ code: number | null, signal: NodeJS.Signals | null }} */
  const end = await new Promise((resolve) => {
    app.once('error', () => resolve({ code: 1, signal: null }));
    app.once('close', (code, signal) => resolve({ code, signal }));
  });
  stopForwarding();
  if (stopping || end.code === 0 || existsSync(quitFile)) return { code: 0 };
  if (Date.now() - begun < startUpMs)
    return explainEnd({ program: electron, ...end, ...(await examine(electron, given)) });
  const signal = signalOf(end);
  if (signal !== null) say(`The app crashed (${signal}). Start it again with \`npm start\`.`);
  return { code: end.code ?? 1 };
}
