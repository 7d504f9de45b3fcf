import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright';

const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const PAGE = new URL('../../../out/renderer/index.html', import.meta.url);

/** Playwright's own list (its version 1.65). It has to be repeated, because Chromium uses only the last such flag. */
const OFF_FOR_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Pages for the address bar, which every new window loads unseen: half a second of processor time. */
const OFF_FOR_SPEED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];

/** Required for Debian's Chromium to start anywhere, and to send no requests of its own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...OFF_FOR_SPEED].join(',')}`,
  // Nothing leaves this computer. A route would do that, too, but it makes every request slow, and ends all caching.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** How Chromium is started. */
export const LAUNCH = { executablePath, args: FLAGS };

/** Why the built page cannot be opened in a browser, or null. */
export const whyNoPage: string | null =
  executablePath === '' ? 'no Chromium' : existsSync(PAGE) ? null : 'the page is not built';

/** The name of a suite, with the reason if it is skipped. */
export function titled(name: string): string {
  return whyNoPage === null ? name : `${name} (skipped: ${whyNoPage})`;
}

let shared: Promise<Browser> | undefined;

/**
 * The Chromium that the suites of this process share; it ends with the process. Nothing but what was opened through the
 * answer ends when that is closed. What is opened knows no cookies or storage of another suite.
 */
export async function launchChromium(): Promise<Browser> {
  shared ??= chromium.launch(LAUNCH);
  const browser = await shared;
  const contexts: BrowserContext[] = [];
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  };
  const own = {
    newContext,
    newPage: async (options?: BrowserContextOptions) => (await newContext(options)).newPage(),
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
  return Object.assign(Object.create(browser) as Browser, own);
}
