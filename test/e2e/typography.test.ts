import type { CDPSession, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { whyNoChinese } from '../../scripts/setup/fonts.mjs';
import { titled, whyNoPage } from './support/chromium.ts';
import { WAIT, expectReading, openPage, rowOf, shows, type OpenPage } from './support/open-page.ts';
import { openScene, type Scene, withGateway } from './support/scene.ts';

const LATIN = 'It doesn’t “just work”: query…';
const HAN = '“开箱即用”的模型：Aurora 发布……';
const LONG =
  'A headline that goes on for so long that no line of any window could hold the whole of it without breaking it, and then goes on about gypsy jargon';
const LONGEST = `${LONG}, and then about nothing else at all`;
const BARE = 'No summary';
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
  let scene: Scene;
  let open: OpenPage;
  let page: Page;
  let devtools: CDPSession;
  const requested: string[] = [];

  beforeAll(async () => {
    const until = systemClock.now() - 3_600_000;
    scene = await openScene({
      content: { selected: 12, days: 3, until },
      prepare: ({ control }) => {
        control.addItem({ title: LATIN, summary: SUMMARY });
        control.addItem({ title: HAN, summary: HAN_SUMMARY });
        for (const title of [JAPANESE, LONG, LONGEST]) control.addItem({ title });
        control.addItem({ title: BARE, summary: null });
      },
      settings: withGateway,
    });
    open = await openPage(scene.browser, scene.reader.address, {}, (opened) => {
      opened.on('request', (request) => requested.push(request.url()));
      return Promise.resolve();
    });
    page = open.page;
    await shows(page, LATIN);
    devtools = await page.context().newCDPSession(page);
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    return scene.close;
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
  const ellipses = (text: string): number => text.match(/…/g)?.length ?? 0;

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

  it('sets Chinese punctuation in the font of the characters, and Latin letters beside them in its own', async ({
    skip,
  }) => {
    const noChinese = whyNoChinese();
    skip(noChinese !== null, noChinese ?? '');
    for (const [part, text, family] of [
      ['title', HAN, /^Source Serif 4/],
      ['summary', HAN_SUMMARY, /^Inter/],
    ] as const) {
      const glyphs = await glyphsInRow(HAN, part);
      expect(bundledCount(glyphs, family)).toBe(ascii(text));
      // Rows draw every ellipsis as that of a cut text (docs/decisions/025).
      expect(bundledCount(glyphs, /./)).toBe(ascii(text) + ellipses(text));
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
    await page.getByRole('heading', { level: 1, name: 'Picks' }).waitFor();
  });

  it('loads each font file once, from the page’s own origin, before the first text, without breaking the policy', () => {
    const fonts = requested.filter((url) => url.endsWith('.woff2'));
    expect(fonts.every((url) => url.startsWith(`${scene.reader.origin}/assets/`))).toBe(true);
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
    expect(bundledCount(await glyphsInRow(HAN, 'title'), /^Inter/)).toBe(ascii(HAN) + ellipses(HAN));
    expect((await glyphsInRow(HAN, 'title')).map(({ family }) => family).join()).not.toMatch(/Serif|Song/);
    await open.call('settings.set', { patch: { font: 'serif' } });
    await page.locator('html[data-font="serif"]').waitFor();
  });

  /** Where the parts of a row are, in px from its top. */
  function partsOf(title: string): Promise<{ height: number; above: number; below: number; gap: number | null }> {
    return rowOf(page, title)
      .first()
      .evaluate((row) => {
        const place = row.getBoundingClientRect();
        const box = (part: string) => row.querySelector(part)?.getBoundingClientRect();
        const [meta, text, head, summary] = [box('.meta')!, box('.text')!, box('.title')!, box('.summary')];
        return {
          height: place.height,
          above: Math.min(meta.top, text.top) - place.top,
          below: place.bottom - Math.max(meta.bottom, text.bottom),
          gap: summary ? summary.top - head.bottom : null,
        };
      });
  }

  it('has rows of 108 px with a gap before the summary, and no hole where there is none', async () => {
    const [full, bare, long] = [await partsOf(LATIN), await partsOf(BARE), await partsOf(LONG)];
    expect([full.height, bare.height, long.height]).toEqual([108, 108, 108]);
    expect(full.gap).toBeGreaterThanOrEqual(2);
    expect(bare.gap).toBeNull();
    for (const { above, below } of [full, bare, long]) {
      expect(above).toBeGreaterThan(6);
      expect(Math.abs(above - below)).toBeLessThan(2);
    }
  });

  it('fits rows into their height at every density and text size', async () => {
    for (const [density, textSize, height] of [
      ['compact', 100, 58],
      ['compact', 150, 87],
      ['comfortable', 150, 162],
    ] as const) {
      await open.call('settings.set', { patch: { density, textSize } });
      await expect.poll(async () => (await partsOf(BARE)).height, WAIT).toBe(height);
      for (const title of [LATIN, BARE, HAN]) {
        const { above, below } = await partsOf(title);
        expect(above).toBeGreaterThan(6);
        expect(below).toBeGreaterThan(6);
      }
    }
    await open.call('settings.set', { patch: { density: 'comfortable', textSize: 100 } });
    await expect.poll(async () => (await partsOf(BARE)).height, WAIT).toBe(108);
  });

  it('shows all of a headline, and a very long one smaller', async () => {
    const sizes: number[] = [];
    for (const title of [LATIN, LONGEST]) {
      await rowOf(page, title).first().click();
      await expectReading(page, title);
      const { room, size, lines } = await page.locator('#article-title').evaluate((heading) => {
        const text = document.createRange();
        text.selectNodeContents(heading);
        const style = getComputedStyle(heading);
        const size = Number.parseFloat(style.fontSize);
        return {
          // From the lowest part of any letter of the font to the edge that clips.
          room: heading.getBoundingClientRect().bottom - text.getBoundingClientRect().bottom,
          size,
          lines: Number.parseFloat(style.lineHeight) / size,
        };
      });
      expect(room).toBeGreaterThan(0);
      expect(lines).toBeGreaterThanOrEqual(1.28 - 1e-6);
      sizes.push(size);
    }
    expect(sizes).toEqual([32, 20]);
  });

  it('keeps its marks when the system chooses the colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const colours = await page.evaluate(() => {
      const style = (selector: string, pseudo?: string) => getComputedStyle(document.querySelector(selector)!, pseudo);
      const shown = '.view:not(.away)';
      return {
        paper: style('html').backgroundColor,
        unread: style(`${shown} .row.unread .meta`, '::before').backgroundColor,
        selected: style(`${shown} .place[aria-selected=true]`, '::after').borderStyle,
        view: style('nav [aria-current]').outlineStyle,
        button: style('article .button.main').backgroundColor,
        buttonText: style('article .button.main').color,
        buttonAdjusts: style('article .button.main').forcedColorAdjust,
        lamp: style('.lamp').forcedColorAdjust,
      };
    });
    expect(colours.unread).not.toBe(colours.paper);
    expect(colours.selected).toBe('solid');
    expect(colours.view).toBe('solid');
    expect(colours.button).not.toBe(colours.paper);
    expect(colours.buttonText).not.toBe(colours.button);
    // Otherwise the system puts the colour of the paper behind the letters.
    expect(colours.buttonAdjusts).toBe('none');
    expect(colours.lamp).toBe('none');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
