import { existsSync } from 'node:fs';
import { findBrowser } from './browser.mjs';
import { runChild } from './child.mjs';
import { causeIn, describeFailure, Failure, Interrupted } from './failure.mjs';
import { say, step } from './progress.mjs';
import { inProject } from './project.mjs';
import { runProjectNode } from './project-node.mjs';

const downloadLimitMs = 5 * 60_000;
const aptLimitMs = 10 * 60_000;
const fonts = ['fonts-noto-cjk', 'fonts-noto-color-emoji'];

/** @typedef {import('./child.mjs').Ended} Ended */

/**
 * One way to get a browser, tried quietly: it may fail, and then the next one is tried.
 * @param {string} title
 * @param {() => Promise<Ended>} work
 */
async function attempt(title, work) {
  try {
    await step(title, async () => {
      const ended = await work();
      if (ended.timedOut) throw new Failure('it took too long');
      if (ended.code !== 0) throw new Failure(causeIn(ended.output) ?? `it ended with status ${ended.code}`);
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    say(`  not possible: ${describeFailure(error)}`);
  }
}

function fromPlaywright() {
  return runProjectNode([inProject('node_modules', 'playwright', 'cli.js'), 'install', 'chromium'], {
    limitMs: downloadLimitMs,
    output: 'keep',
    // A network that swallows packets is noticed in seconds, not minutes.
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

async function fromDebian() {
  const updated = await apt(['update']);
  if (updated.code !== 0) return updated;
  const installed = await apt(['install', '-y', '--no-install-recommends', 'chromium']);
  // Chinese text and emoji in screenshots; the tests themselves pass without.
  if (installed.code === 0) await apt(['install', '-y', '--no-install-recommends', ...fonts]);
  return installed;
}

function mayUseDebiansPackage() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/**
 * A browser for the end-to-end tests: one that is there, else Playwright's download, else Debian's package (as root).
 * @returns {Promise<string | null>} its path; null where none can be had, which it has then said
 */
export async function ensureBrowser() {
  const there = findBrowser();
  if (there !== null) return there;
  await attempt("Downloading a browser for the end-to-end tests (Playwright's Chromium)", fromPlaywright);
  if (findBrowser() === null && mayUseDebiansPackage()) {
    await attempt("Installing a browser for the end-to-end tests (Debian's package chromium)", fromDebian);
  }
  const found = findBrowser();
  if (found === null) {
    say('No Chromium on this machine and none to be had: the end-to-end tests are skipped.');
    say('  Set CHROMIUM_PATH to a Chromium, Chrome or Edge to run them.');
  }
  return found;
}
