import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const PAGE = new URL('../../../out/renderer/index.html', import.meta.url);

/** What Debian's Chromium needs to start anywhere, and to ask nothing of the network by itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why the built page cannot be shown in a browser here, or null where it can. */
export const whyNoPage: string | null =
  executablePath === '' ? 'no Chromium' : existsSync(PAGE) ? null : 'the page is not built';

/** The name of a suite, with the reason where it is skipped. */
export function titled(name: string): string {
  return whyNoPage === null ? name : `${name} (skipped: ${whyNoPage})`;
}

/** A Chromium with a new, empty user data folder. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}
