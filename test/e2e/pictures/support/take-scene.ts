import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { expect, it } from 'vitest';
import type { InLocale } from '../../../../src-main/common/i18n/locale.ts';
import { isWhole } from '../../../support/proofs.ts';
import { drawn } from '../../support/drawn.ts';
import { openPage, type OpenPage } from '../../support/open-page.ts';
import { cutIn, faultsOf } from '../../support/page-checks.ts';

/** Where the pictures are: output of the run, which git ignores. */
const FOLDER = fileURLToPath(new URL('../../../../test-output/screenshots/', import.meta.url));

/** Whether this run is `npm run screenshots`: every picture, and nothing is checked but complaints of the page. */
const EVERY_PICTURE = process.env['BROADSHEET_PICTURES'] === '1';

/** The sizes of the pictures. 720 by 450 px is a screen of 1440 by 900 px at 200 %. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
  { width: 720, height: 450 },
  { width: 480, height: 800 },
] as const;
/** The narrowest window that has to be usable (1280 px at 400 %). It is checked, without a picture. */
const NARROWEST = { width: 320, height: 640 } as const;
const SCHEMES = ['light', 'dark'] as const;

const LANGUAGES = [
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } },
] as const;

/** Something that the page shows. */
export interface Scene {
  /** Part of the file names. */
  name: string;
  /** The address of the reader whose page shows it. */
  address: () => string;
  options?: BrowserContextOptions;
  prepare?: (page: Page) => Promise<unknown>;
  /** The widest window, in px, that shows it. */
  widest?: number;
  /** Whether `npm test` leaves it out. */
  rare?: boolean;
  setUp: (page: Page, by: InLocale, open: OpenPage) => Promise<unknown>;
  /** Whether it is the page as it is printed. Nothing is operated on paper: only what is cut off is looked for. */
  printed?: boolean;
  /** At every size, for what a change of size closes. */
  again?: (page: Page, by: InLocale) => Promise<unknown>;
}

interface Shot {
  width: number;
  height: number;
  colorScheme: (typeof SCHEMES)[number];
}

const shotsOf = (sizes: readonly { width: number; height: number }[]): Shot[] =>
  sizes.flatMap((size) => SCHEMES.map((colorScheme) => ({ ...size, colorScheme })));

const PICTURES = shotsOf(SIZES);
const ALL = shotsOf([...SIZES, NARROWEST]);

/**
 * Each scene in both languages: `npm run screenshots` takes every picture, the proofs check every size and both schemes, and
 * `npm test` checks one of them for each scene, another one for each, and takes its picture.
 */
export function takeScenes(browser: () => Browser, scenes: readonly Scene[]): void {
  mkdirSync(FOLDER, { recursive: true });
  const wanted = scenes.filter(({ rare = false }) => !rare || EVERY_PICTURE || isWhole);
  for (const [index, scene] of wanted.entries()) {
    for (const [second, language] of LANGUAGES.entries()) {
      const [all, pictures] = [ALL, PICTURES].map((some) =>
        some.filter(({ width }) => width <= (scene.widest ?? width)),
      );
      const shots = EVERY_PICTURE ? pictures! : isWhole ? all! : [all!.at((index * 3 + second * 5) % all!.length)!];
      // Half of the sample is not checked: it runs with the page's own policy, as all pictures do.
      const checked = !EVERY_PICTURE && (isWhole || (index + second) % 2 === 0);
      // Each picture that is checked takes some seconds.
      const timeout = 120_000 + 60_000 * (shots.length - 1);
      it(`${scene.name}, in ${language.name}`, { timeout }, () => take(browser(), scene, language, shots, checked));
    }
  }
}

async function take(
  browser: Browser,
  scene: Scene,
  { locale, name, by }: (typeof LANGUAGES)[number],
  shots: readonly Shot[],
  checked: boolean,
): Promise<void> {
  const options = { locale, bypassCSP: checked, ...scene.options };
  const open = await openPage(browser, scene.address(), options, scene.prepare);
  const { page } = open;
  await scene.setUp(page, by, open);
  await page.mouse.move(0, 0);
  if (scene.printed) await page.emulateMedia({ media: 'print' });
  const forcedColors = scene.options?.forcedColors === 'active';
  const faults: string[] = [];
  for (const { width, height, colorScheme } of shots) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await scene.again?.(page, by);
    await drawn(page);
    if (width !== NARROWEST.width) {
      const path = `${FOLDER}${scene.name}-${width}-${colorScheme}-${name}.png`;
      await page.screenshot({ path, animations: 'disabled' });
    }
    if (!checked) continue;
    const found = [...(scene.printed ? [] : await faultsOf(page, { forcedColors })), ...(await cutIn(page))];
    faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`));
  }
  expect(open.complaints).toEqual([]);
  await open.close();
  expect(faults).toEqual([]);
}
