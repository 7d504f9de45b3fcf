import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { forwardSignals } from '../child.mjs';
import { explainEnd, signalOf } from './end.mjs';
import { electronEnvironment, examine } from './probe.mjs';
import { Failure } from '../failure.mjs';
import { say } from '../progress.mjs';
import { projectRoot } from '../project.mjs';

const startUpMs = 5_000;
const usage =
  'Options of the desktop app: --data DIR, --news URL, --models URL, --demo standard|harsh, and for Chromium --disable-gpu, --ozone-platform=NAME, --force-device-scale-factor=NUMBER, --password-store=NAME. Use --browser to open it in your browser instead.';
/** Not all of Chromium's: a mistyped option should be noticed, and some switches weaken the sandbox. */
const switches = /^--(?:disable-gpu|(?:ozone-platform|force-device-scale-factor|password-store)=.+)$/;
/** @type {Record<'data' | 'news' | 'models' | 'demo', { type: 'string' }>} */
const options = {
  data: { type: 'string' },
  news: { type: 'string' },
  models: { type: 'string' },
  demo: { type: 'string' },
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
  const { data, news, models, demo } = readOptions(args.filter((arg) => !isSwitch(arg)));
  if (data === '') throw new Failure(`--data needs a folder. ${usage}`);
  for (const [name, address] of Object.entries({ news, models })) {
    if (address !== undefined && !isServiceAddress(address))
      throw new Failure(`--${name} must be an http or https address without user name, query and fragment.`);
  }
  if (demo !== undefined && demo !== 'standard' && demo !== 'harsh')
    throw new Failure('--demo must be standard or harsh.');
  if (demo !== undefined && news !== undefined) throw new Failure('Use either --demo or --news.');
  return {
    ...(data !== undefined && { BROADSHEET_DATA: data }),
    ...(news !== undefined && { BROADSHEET_NEWS_URL: news }),
    ...(models !== undefined && { BROADSHEET_MODELS_URL: models }),
    ...(demo !== undefined && { BROADSHEET_DEMO: demo }),
  };
}

/** @param {readonly string[]} args */
function readOptions(args) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Only the first sentence names the argument; the rest is for developers.
    const [what] = (error instanceof Error ? error.message : String(error)).split(
      /\.? (?=To specify|This command)|\.?\n/,
    );
    throw new Failure(`${what}. ${usage}`);
  }
}

/** Checks the same as `contract/addresses.ts`, which this Node may be too old to load. @param {string} text */
function isServiceAddress(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
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
