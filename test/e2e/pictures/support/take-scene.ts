import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { expect, it } from 'vitest';
import type { InLocale } from '../../../../src-main/common/i18n/locale.ts';
import { isWhole } from '../../../support/proofs.ts';
import { drawn } from '../../support/drawn.ts';
import { openPage, type OpenPage } from '../../support/open-page.ts';
import { cutIn, faultsOf } from '../../support/page-checks.ts';
import { SharedWindow } from './shared-window.ts';
import { LANGUAGES, NARROWEST, dealt, fewSizesUpTo, shotsUpTo, type Language, type Shot, type Size } from './shots.ts';

/** Where the pictures are: output of the run, which git ignores. */
const FOLDER = fileURLToPath(new URL('../../../../test-output/screenshots/', import.meta.url));

/** True for `npm run screenshots`, which takes every picture and checks only for complaints of the page. */
export const EVERY_PICTURE = process.env['BROADSHEET_PICTURES'] === '1';

/** Where the news of the demo begin: in the long form a month or two ago, in the short form some weeks before `now`, in ms. */
export function beginning(now: number): { since?: number } {
  return EVERY_PICTURE || isWhole ? {} : { since: now - 14 * 86_400_000 };
}

/** Something that the page shows. */
export interface Scene {
  /** Part of the file names. */
  name: string;
  /** The address of the reader whose page shows it. */
  address: () => string;
  /** The short form uses only the size: a scene that needs more is `rare`. */
  options?: BrowserContextOptions;
  /** Before the page is loaded. A scene that needs it is `rare`. */
  prepare?: (page: Page) => Promise<unknown>;
  /** The widest window, in px, that shows it. */
  widest?: number;
  /** True if `npm test` leaves it out. */
  rare?: boolean;
  /** True if `npm test` reloads the page for it, because of what earlier scenes of the window leave behind. */
  afresh?: boolean;
  setUp: (page: Page, by: InLocale, open: OpenPage) => Promise<unknown>;
  /** At every size, for what a change of size closes. */
  again?: (page: Page, by: InLocale) => Promise<unknown>;
}

/**
 * The long form has each scene in every window: `npm run screenshots` takes every picture, and the proofs check them too.
 * The short form, in `npm test`, takes no picture. It looks for what is cut off or outside in three sizes, and checks the rest
 * in one of them. `language`: that of the short form, by its part of the file names. All scenes of a suite share a window in
 * it: another one costs as much as five scenes.
 */
export function takeScenes(browser: () => Browser, scenes: readonly Scene[], language: 'en' | 'zh'): void {
  if (EVERY_PICTURE || isWhole) takeAll(browser, scenes);
  else
    checkEach(
      browser,
      scenes,
      LANGUAGES.find(({ name }) => name === language)!,
    );
}

function takeAll(browser: () => Browser, scenes: readonly Scene[]): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const scene of scenes) {
    for (const language of LANGUAGES) {
      const shots = shotsUpTo(scene.widest, { narrowest: !EVERY_PICTURE });
      // Each picture that is checked takes some seconds.
      const timeout = 120_000 + 60_000 * (shots.length - 1);
      it(`${scene.name}, in ${language.name}`, { timeout }, () => take(browser(), scene, language, shots));
    }
  }
}

async function take(
  browser: Browser,
  scene: Scene,
  { locale, name, by }: Language,
  shots: readonly Shot[],
): Promise<void> {
  // The page's policy keeps axe out.
  const options = { locale, bypassCSP: !EVERY_PICTURE, ...scene.options };
  const open = await openPage(browser, scene.address(), options, async (page) => {
    if (EVERY_PICTURE) await page.clock.setFixedTime(Math.floor(Date.now() / 60_000) * 60_000);
    await scene.prepare?.(page);
  });
  const { page } = open;
  await setUp(scene, open, by);
  const faults: string[] = [];
  for (const shot of shots) {
    await page.emulateMedia({ colorScheme: shot.colorScheme });
    await turnTo(page, scene, shot, by);
    if (shot.width !== NARROWEST.width) {
      const path = `${FOLDER}${scene.name}-${shot.width}-${shot.colorScheme}-${name}.png`;
      await page.screenshot({ path, animations: 'disabled' });
    }
    if (!EVERY_PICTURE) faults.push(...(await faultsAt(page, scene, shot)));
  }
  expect(open.complaints).toEqual([]);
  await open.close();
  expect(faults).toEqual([]);
}

function checkEach(browser: () => Browser, scenes: readonly Scene[], language: Language): void {
  const window = new SharedWindow(browser);
  for (const [index, scene] of scenes.filter(({ rare = false }) => !rare).entries()) {
    const shot = dealt(index, scene.widest);
    it(`${scene.name}, in ${language.name}, ${shot.width} px, ${shot.colorScheme}`, () =>
      window.use(scene, language.locale, async (open) => {
        await setUp(scene, open, language.by);
        await open.page.emulateMedia({ colorScheme: shot.colorScheme });
        const faults: string[] = [];
        // The widest first, in which it was set up.
        for (const size of fewSizesUpTo(scene.widest)) {
          await turnTo(open.page, scene, size, language.by);
          if (size.width === shot.width) faults.push(...(await faultsAt(open.page, scene, shot)));
          else faults.push(...(await cutIn(open.page)).map((fault) => `${size.width} px: ${fault}`));
        }
        expect(open.complaints).toEqual([]);
        expect(faults).toEqual([]);
      }));
  }
}

async function setUp(scene: Scene, open: OpenPage, by: InLocale): Promise<void> {
  await scene.setUp(open.page, by, open);
  await open.page.mouse.move(0, 0);
}

async function turnTo(page: Page, scene: Scene, { width, height }: Size, by: InLocale): Promise<void> {
  await page.setViewportSize({ width, height });
  await scene.again?.(page, by);
  await drawn(page);
}

async function faultsAt(page: Page, scene: Scene, { width, colorScheme }: Shot): Promise<string[]> {
  const forcedColors = scene.options?.forcedColors === 'active';
  const found = [...(await faultsOf(page, { forcedColors })), ...(await cutIn(page))];
  return found.map((fault) => `${width} px, ${colorScheme}: ${fault}`);
}
