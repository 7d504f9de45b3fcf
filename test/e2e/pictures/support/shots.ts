import type { InLocale } from '../../../../src-main/common/i18n/locale.ts';

/** The sizes of the pictures. 720 by 450 px is a screen of 1440 by 900 px at 200 %. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
  { width: 720, height: 450 },
  { width: 480, height: 800 },
] as const;
/** The narrowest window that has to be usable (1280 px at 400 %). It is checked, without a picture. */
export const NARROWEST = { width: 320, height: 640 } as const;
const SCHEMES = ['light', 'dark'] as const;

export interface Language {
  locale: string;
  /** Part of the file names. */
  name: string;
  by: InLocale;
}

export const LANGUAGES: readonly Language[] = [
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } },
];

export interface Size {
  width: number;
  height: number;
}

export interface Shot extends Size {
  colorScheme: (typeof SCHEMES)[number];
}

/** Every size, the widest first, up to the widest window that shows the scene. */
export function sizesUpTo(widest = Infinity): Size[] {
  return [...SIZES, NARROWEST].filter(({ width }) => width <= widest);
}

/** Every size in both schemes, up to the widest window that shows the scene. `narrowest`: also that without a picture. */
export function shotsUpTo(widest = Infinity, { narrowest }: { narrowest: boolean }): Shot[] {
  const sizes = sizesUpTo(widest).filter(({ width }) => narrowest || width !== NARROWEST.width);
  return sizes.flatMap((size) => SCHEMES.map((colorScheme) => ({ ...size, colorScheme })));
}

/**
 * The one window in which the short form checks a scene, by the number of the scene (from 0). Of 20 scenes that follow each
 * other and fit every window, each has another size, scheme and language.
 */
export function dealt(scene: number, widest = Infinity): { shot: Shot; language: Language } {
  const shots = shotsUpTo(widest, { narrowest: true });
  const [sizes, pair] = [shots.length / SCHEMES.length, scene % (SCHEMES.length * LANGUAGES.length)];
  const scheme = Math.floor(pair / LANGUAGES.length);
  return { shot: shots[(scene % sizes) * SCHEMES.length + scheme]!, language: LANGUAGES[pair % LANGUAGES.length]! };
}
