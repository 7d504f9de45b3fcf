import type { Browser, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { expectReading, openPage, rowOf, shows, type OpenPage } from './support/open-page.ts';

const LATIN = 'It doesn’t “just work”: query…';
const HAN = '“开箱即用”的模型：Aurora 发布……';
const JAPANESE = '“すぐに使える”モデルを公開';
const SUMMARY = 'The first isn’t “long”.';
const HAN_SUMMARY = '在“长文本”任务上 API 更稳定。';

/** Fonts that no text is ever to be set in: drawn for tiny sizes, or Latin letters of a Chinese font. */
const NEVER = /SimSun|NSimSun|MingLiU/i;

interface Glyphs {
  family: string;
  bundled: boolean;
  count: number;
}

describe.skipIf(whyNoPage !== null)(titled('the typography of the page'), () => {
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;
  let open: OpenPage;
  let page: Page;
  let devtools: CDPSession;
  const requested: string[] = [];

  beforeAll(async () => {
    const until = systemClock.now() - 3_600_000;
    service = await startDemoService({ clock: systemClock, content: { selected: 12, days: 3, until } });
    service.control.addItem({ title: LATIN, summary: SUMMARY });
    service.control.addItem({ title: HAN, summary: HAN_SUMMARY });
    service.control.addItem({ title: JAPANESE });
    [reader, browser] = await Promise.all([
      startTestServer({ settings: { newsAddress: service.newsAddress, modelsAddress: service.modelsAddress } }),
      launchChromium(),
    ]);
    open = await openPage(browser, reader.address, {}, (opened) => {
      opened.on('request', (request) => requested.push(request.url()));
      return Promise.resolve();
    });
    page = open.page;
    await shows(page, LATIN);
    devtools = await page.context().newCDPSession(page);
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
  });
  afterAll(async () => {
    await open.close();
    await browser.close();
    await reader.close();
    await service.close();
  });

  /** The fonts that the text of an element is really set in. */
  async function glyphsOf(selector: string): Promise<Glyphs[]> {
    const { root } = await devtools.send('DOM.getDocument', { depth: 0 });
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.map(({ familyName, isCustomFont, glyphCount }) => ({
      family: familyName,
      bundled: isCustomFont,
      count: glyphCount,
    }));
  }

  /** The same for the title or summary of a row. */
  async function glyphsInRow(title: string, part: 'title' | 'summary'): Promise<Glyphs[]> {
    const id = await rowOf(page, title).first().getAttribute('id');
    return glyphsOf(`[id="${id}"] .${part}`);
  }

  function bundledCount(glyphs: readonly Glyphs[], family: RegExp): number {
    return glyphs.filter((one) => one.bundled && family.test(one.family)).reduce((sum, { count }) => sum + count, 0);
  }

  /** How many characters of a text are ASCII: what the fonts for Han have. */
  const ascii = (text: string): number => text.match(/[ -~]/g)?.length ?? 0;

  it('sets Latin text with its own fonts, curly quotation marks and all', async () => {
    expect(await glyphsInRow(LATIN, 'title')).toEqual([
      { family: expect.stringMatching(/^Source Serif 4/) as string, bundled: true, count: LATIN.length },
    ]);
    expect(await glyphsInRow(LATIN, 'summary')).toEqual([
      { family: expect.stringMatching(/^Inter/) as string, bundled: true, count: SUMMARY.length },
    ]);
    await rowOf(page, LATIN).first().click();
    await expectReading(page, LATIN);
    expect(bundledCount(await glyphsOf('#article-title'), /^Source Serif 4/)).toBe(LATIN.length);
  });

  it('sets Chinese punctuation in the font of the characters, and Latin letters beside them in its own', async () => {
    for (const [part, text, family] of [
      ['title', HAN, /^Source Serif 4/],
      ['summary', HAN_SUMMARY, /^Inter/],
    ] as const) {
      const glyphs = await glyphsInRow(HAN, part);
      expect(bundledCount(glyphs, family)).toBe(ascii(text));
      expect(glyphs.filter(({ bundled }) => bundled)).toHaveLength(ascii(text) > 0 ? 1 : 0);
      expect(glyphs.map((one) => one.family).join()).not.toMatch(NEVER);
    }
    expect(await page.locator(`[role="option"] .title:text-is("${JAPANESE}")`).getAttribute('lang')).toBe('ja');
    expect(bundledCount(await glyphsInRow(JAPANESE, 'title'), /./)).toBe(0);
  });

  it('keeps that in the Chinese interface, whose labels are not set in a Latin font', async () => {
    await open.call('settings.set', { patch: { language: 'zh-CN' } });
    await page.getByRole('heading', { level: 1, name: '精选' }).waitFor();
    expect(await glyphsInRow(LATIN, 'title')).toEqual([
      { family: expect.stringMatching(/^Source Serif 4/) as string, bundled: true, count: LATIN.length },
    ]);
    expect(bundledCount(await glyphsInRow(HAN, 'title'), /^Source Serif 4/)).toBe(ascii(HAN));
    const heading = await glyphsOf('.view:not(.away) h1');
    expect(bundledCount(heading, /./)).toBe(0);
    await open.call('settings.set', { patch: { language: 'en' } });
    await page.getByRole('heading', { level: 1, name: 'Selected' }).waitFor();
  });

  it('loads each font file once, from the page’s own origin, before the first text, without breaking the policy', () => {
    const fonts = requested.filter((url) => url.endsWith('.woff2'));
    expect(fonts.every((url) => url.startsWith(`${reader.origin}/assets/`))).toBe(true);
    const names = fonts.map((url) => url.replace(/^.*\/|-[^-]*\.woff2$/g, ''));
    expect([...names].sort()).toEqual(['inter-latin-wght-normal', 'source-serif-4-latin-wght-normal']);
    const [calls, lastFont] = [
      requested.findIndex((url) => url.includes('/call/')),
      requested.lastIndexOf(fonts.at(-1)!),
    ];
    expect(lastFont).toBeLessThan(calls);
    expect(open.complaints).toEqual([]);
    expect(open.outside).toEqual([]);
  });

  it('sets what a reader wants without serifs in the sans, in both scripts', async () => {
    await open.call('settings.set', { patch: { font: 'sans' } });
    await page.locator('html[data-font="sans"]').waitFor();
    expect(bundledCount(await glyphsInRow(LATIN, 'title'), /^Inter/)).toBe(LATIN.length);
    expect(bundledCount(await glyphsInRow(HAN, 'title'), /^Inter/)).toBe(ascii(HAN));
    expect((await glyphsInRow(HAN, 'title')).map(({ family }) => family).join()).not.toMatch(/Serif|Song/);
    await open.call('settings.set', { patch: { font: 'serif' } });
    await page.locator('html[data-font="serif"]').waitFor();
  });
});
