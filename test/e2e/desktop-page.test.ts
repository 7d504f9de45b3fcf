import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHost, type FakeHost } from '../electron/fake/index.ts';
import { launchChromium } from './support/chromium.ts';

const entry = new URL('../../out/main/main.js', import.meta.url);
const executablePath = process.env['CHROMIUM_PATH'] ?? '';
const reason = executablePath === '' ? 'no Chromium' : existsSync(entry) ? null : 'the app is not built';

// Browsers do not support app: addresses; this one replaces app://broadsheet and is never requested over the network.
const ORIGIN = 'https://broadsheet.invalid';

/**
 * The built page as served by the desktop host, with the host's policy and wire, in Chromium of Electron's major version.
 * Features that only Electron has are faked.
 */
describe.skipIf(reason !== null)(
  `the page as the desktop serves it${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let host: FakeHost;
    let browser: Browser;
    let page: Page;
    const complaints: string[] = [];
    /** The rows on the page, and the scheme of its theme, whenever it asked for its window to be shown. */
    const painted: unknown[] = [];

    beforeAll(async () => {
      host = await runHost({ entry: entry.href, environment: { FAKE_PAGE: 'silent' } });
      browser = await launchChromium();
      page = await browser.newPage();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.route('**/*', async (route) => {
        const { pathname } = new URL(route.request().url());
        const { status, headers, bytes } = await host.driver.request(`app://broadsheet${pathname}`);
        await route.fulfill({ status, headers, body: bytes });
      });
      await page.exposeFunction('hostCall', async (method: string, args: unknown) => {
        if (method === 'app.painted') painted.push(await page.evaluate(`(${String(whatIsDrawn)})()`));
        return host.driver.call(method, args);
      });
      await page.addInitScript(bringWire);
      host.onEvent(
        (name, payload) =>
          void page.evaluate(([n, p]) => announce(n, p), [name, payload] as const).catch(() => undefined),
      );
      await page.goto(`${ORIGIN}/`);
    });
    afterAll(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await browser.close();
      await host.close();
    });

    it('shows the news of the demo service as they arrive', async () => {
      await expect
        .poll(() => page.locator('[role="option"], [role="row"], [role="article"]').count(), { timeout: 60_000 })
        .toBeGreaterThan(3);
      await expect.poll(() => painted, { timeout: 30_000 }).toHaveLength(1);
    });

    it('asks for its window with the stored headlines of Today drawn, in its theme', async () => {
      painted.length = 0;
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.reload();
      await expect.poll(() => painted, { timeout: 30_000 }).toHaveLength(1);
      expect(painted).toEqual([{ headlines: true, paper: 'rgb(23, 22, 20)' }]);
    });

    it('complies with its content security policy', () => {
      expect(complaints).toEqual([]);
    });

    it('cannot turn text into markup or reach another host', async () => {
      const refused = (script: string) =>
        page.evaluate(`(async () => { ${script} })()`).then(
          () => false,
          () => true,
        );
      expect(await refused(`document.body.insertAdjacentHTML('beforeend', '<b>text</b>')`)).toBe(true);
      expect(await refused(`document.createElement('script').text = 'alert(1)'`)).toBe(true);
      expect(await refused(`await fetch('${ORIGIN}/index.html')`)).toBe(true);
      expect(
        await refused(
          `await new Promise((_done, fail) => new WebSocket('wss://broadsheet.invalid').addEventListener('error', fail))`,
        ),
      ).toBe(true);
    });
  },
);

/** Runs in the page. */
function whatIsDrawn(): unknown {
  const headlines = document.querySelectorAll('.view:not(.away) [data-headline]').length > 3;
  return { headlines, paper: getComputedStyle(document.documentElement).backgroundColor };
}

declare function announce(name: string, payload: unknown): void;

/** Runs in the page: its `window.broadsheet`, with Playwright instead of Electron's IPC. */
function bringWire(): void {
  type Listener = (payload: unknown) => void;
  const world = globalThis as unknown as Record<string, unknown>;
  const listeners = new Map<string, Set<Listener>>();
  world['announce'] = (name: string, payload: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(payload);
  };
  world['broadsheet'] = {
    call: world['hostCall'],
    on(name: string, listener: Listener) {
      const heard = listeners.get(name) ?? new Set<Listener>();
      listeners.set(name, heard.add(listener));
      return () => heard.delete(listener);
    },
  };
}
