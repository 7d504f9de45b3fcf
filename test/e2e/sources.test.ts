import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { isWhole } from '../support/proofs.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { axeResults } from './support/axe.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { pressGo } from './support/desktop.ts';
import { drawn } from './support/drawn.ts';
import { openPage, rowsOf } from './support/open-page.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
  { width: 720, height: 450 },
  { width: 480, height: 800 },
];

describe.skipIf(whyNoPage !== null)(titled('sources and statistics'), () => {
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    service = await startDemoService({ clock: systemClock, content: { selected: 400, unselected: 200, days: 40 } });
    [reader, browser] = await Promise.all([
      startTestServer({ settings: { newsAddress: service.newsAddress } }),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  // `npm run proofs` checks each of the three views with axe in all four sizes. In `npm test` their pictures are checked
  // instead (pictures/organising.test.ts). Their widths are compared in every size.
  it.each([
    { colorScheme: 'light', locale: 'en-GB', back: 'All sources' },
    { colorScheme: 'dark', locale: 'zh-CN', back: '全部来源' },
  ] as const)('fit every window without accessibility problems, $colorScheme, $locale', async (names) => {
    const { colorScheme, locale } = names;
    const { page, complaints, close } = await openPage(browser, reader.address, {
      colorScheme,
      locale,
      bypassCSP: true,
    });
    await rowsOf(page).first().waitFor();
    const faults: string[] = [];
    const look = async (what: string): Promise<void> => {
      for (const viewport of SIZES) {
        await page.setViewportSize(viewport);
        await drawn(page);
        if (isWhole) {
          faults.push(...(await faultsOf(page)).map((fault) => `${what} at ${viewport.width}: ${fault}`));
        }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) faults.push(`${what} at ${viewport.width}: ${over} px too wide`);
      }
      await page.setViewportSize(SIZES[0]!);
    };
    await pressGo(page, 'o');
    const shown = page.locator('.view:not(.away)');
    await shown.getByRole('listbox').getByRole('option').first().waitFor();
    await look('sources');
    await shown.getByRole('listbox').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await shown.getByRole('button', { name: names.back }).waitFor();
    await shown.locator('.about svg[role=img]').waitFor();
    await look('a source');
    await pressGo(page, 'c');
    await shown.getByRole('img').first().waitFor();
    for (const summary of await shown.locator('summary').all()) await summary.click();
    await look('statistics');
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await axeResults(page);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160) ?? ''}`);
}
