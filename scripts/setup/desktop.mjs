import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { forwardSignals } from './child.mjs';
import { Failure } from './failure.mjs';
import { projectRoot } from './project.mjs';

const startUpMs = 5_000;
const usage =
  'The desktop app takes --data DIR, --news URL and --models URL; --browser opens it in your browser instead.';
/** @type {Record<'data' | 'news' | 'models', { type: 'string' }>} */
const options = { data: { type: 'string' }, news: { type: 'string' }, models: { type: 'string' } };

/**
 * What the desktop app is told by its environment: Electron takes its own options on the command line, and would pass over
 * ours without a word.
 * @param {readonly string[]} args
 * @returns {Record<string, string>}
 */
export function desktopEnvironment(args) {
  const { data, news, models } = readOptions(args);
  if (data === '') throw new Failure(`--data needs a folder. ${usage}`);
  for (const [name, address] of Object.entries({ news, models })) {
    if (address !== undefined && !isServiceAddress(address))
      throw new Failure(`--${name} must be an http or https address without user name, query or fragment.`);
  }
  return {
    ...(data !== undefined && { BROADSHEET_DATA: data }),
    ...(news !== undefined && { BROADSHEET_NEWS_URL: news }),
    ...(models !== undefined && { BROADSHEET_MODELS_URL: models }),
  };
}

/** @param {readonly string[]} args */
function readOptions(args) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Its first sentence names the argument; what follows is advice for programmers.
    const [what] = (error instanceof Error ? error.message : String(error)).split(
      /\.? (?=To specify|This command)|\.?\n/,
    );
    throw new Failure(`${what}. ${usage}`);
  }
}

/**
 * As `contract/addresses.ts` has it, which the Node that runs this may be too old to read.
 * @param {string} text
 */
function isServiceAddress(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
}

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
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = { ...process.env, ...desktopEnvironment(args) };
  const app = spawn(electron, [projectRoot], { stdio: 'inherit', env });
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
