// `npm start`: installs and builds what is missing, and opens the app, in a browser if no window can be opened.
import './setup/node-gate.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { isSwitch, openDesktop, startCommand } from './setup/electron/desktop.mjs';
import { ensureElectron } from './setup/electron/binary.mjs';
import { runCommand } from './setup/failure.mjs';
import { serveInBrowser } from './setup/in-browser.mjs';
import { asksForHelp, helpOf } from './setup/options.mjs';
import { say } from './setup/progress.mjs';

const inBrowser = '--browser';

if (asksForHelp(process.argv)) {
  // The app reads the others itself.
  const browser = { type: /** @type {const} */ ('boolean'), about: 'always in the browser' };
  console.log(helpOf({ ...startCommand, options: { browser, ...startCommand.options } }));
  process.exit(0);
}

/** Ends the download of Electron. */
const leaving = new AbortController();

/**
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number } | Exclude<Awaited<ReturnType<typeof ensureElectron>>, { path: string }>>}
 */
async function inWindow(args) {
  const electron = await ensureElectron(leaving.signal);
  if ('reason' in electron) return electron;
  return openDesktop(electron.path, args);
}

/** @param {Awaited<ReturnType<typeof ensureElectron>>} electron once it has been downloaded, or not */
function announce(electron) {
  if (leaving.signal.aborted) return;
  say('reason' in electron ? electron.reason : 'Electron has been downloaded. Press Ctrl+C and run `npm start` again.');
}

await runCommand(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== inBrowser);
  await ensureDependencies();
  await ensureBuild();
  if (!process.argv.includes(inBrowser)) {
    const window = await inWindow(args);
    if ('code' in window) return window.code;
    say(`Cannot open a window (${window.reason}). Serving the app to your browser instead.`);
    for (const line of window.advice ?? []) say(`  ${line}`);
    if ('later' in window) window.later?.then(announce, () => undefined);
  }
  return serveInBrowser(args.filter((arg) => !isSwitch(arg))).finally(() => leaving.abort());
});
