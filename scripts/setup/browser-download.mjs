import { existsSync } from 'node:fs';
import { findBrowser } from './browser.mjs';
import { runChild } from './child.mjs';
import { causeIn, describeFailure, Failure, Interrupted } from './failure.mjs';
import { fontPackages, whyNoChinese } from './fonts.mjs';
import { say, step } from './progress.mjs';
import { inProject } from './project.mjs';
import { runProjectNode } from './project-node.mjs';

const downloadLimitMs = 5 * 60_000;
const aptLimitMs = 10 * 60_000;
const browserPackage = 'chromium-headless-shell';

/** @typedef {import('./child.mjs').Ended} Ended */

/**
 * Tries one way to get a browser or fonts. If it fails, the caller tries the next one.
 * @param {string} title
 * @param {() => Promise<Ended>} work
 */
async function attempt(title, work) {
  try {
    await step(title, async () => {
      const ended = await work();
      if (ended.timedOut) throw new Failure('timed out');
      if (ended.code !== 0) throw new Failure(causeIn(ended.output) ?? `exit status ${ended.code}`);
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    say(`  failed: ${describeFailure(error)}`);
  }
}

function fromPlaywright() {
  return runProjectNode([inProject('node_modules', 'playwright', 'cli.js'), 'install', 'chromium'], {
    limitMs: downloadLimitMs,
    output: 'keep',
    // Detects a network that drops packets in seconds instead of minutes.
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' },
  });
}

/** @param {readonly string[]} args */
function apt(args) {
  return runChild('apt-get', ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1', ...args], {
    limitMs: aptLimitMs,
    output: 'keep',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** @param {readonly string[]} packages */
async function fromDebian(packages) {
  const updated = await apt(['update']);
  return updated.code === 0 ? apt(['install', '-y', '--no-install-recommends', ...packages]) : updated;
}

function mayUseDebiansPackage() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/**
 * Finds a browser for the end-to-end tests, or installs one: Playwright's download, then Debian's package (as root).
 * Does the same for a Chinese font, which many computers with a browser lack.
 * @returns {Promise<string | null>} the path of the browser; null, after a message, if there is none
 */
export async function ensureBrowser() {
  const browser = (await findBrowser()) ?? (await installBrowser());
  if (browser !== null) await ensureFonts();
  return browser;
}

/**
 * As `ensureBrowser`, for commands that can do nothing without one.
 * @returns {Promise<string>}
 */
export async function requireBrowser() {
  const browser = await ensureBrowser();
  if (browser === null) throw new Failure('There is no browser to open the page in. CHROMIUM_PATH can name one.');
  return browser;
}

async function installBrowser() {
  await attempt("Downloading a browser for the end-to-end tests (Playwright's Chromium)", fromPlaywright);
  if ((await findBrowser()) === null && mayUseDebiansPackage()) {
    await attempt(`Installing a browser for the end-to-end tests (Debian's package ${browserPackage})`, () =>
      fromDebian([browserPackage]),
    );
  }
  const found = await findBrowser();
  if (found === null) {
    say('No Chromium found, and none could be installed: the end-to-end tests are skipped.');
    say('  Set CHROMIUM_PATH to a Chromium, Chrome or Edge to run them.');
  }
  return found;
}

async function ensureFonts() {
  if (whyNoChinese() !== null && mayUseDebiansPackage()) {
    await attempt(`Installing fonts for the end-to-end tests (Debian's package ${fontPackages[0]})`, () =>
      fromDebian(fontPackages),
    );
  }
  const reason = whyNoChinese();
  if (reason !== null) say(`Tests that need Chinese glyphs are skipped: ${reason}.`);
}
