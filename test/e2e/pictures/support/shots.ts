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

/**
 * The sizes of the short form, the widest first: three panes, the narrowest window with two, and one whose single pane has
 * less room than any other. Those between them are seen in the long form.
 */
export function fewSizesUpTo(widest = Infinity): Size[] {
  return [SIZES[0], SIZES[1], NARROWEST].filter(({ width }) => width <= widest);
}

/** Every size in both schemes, up to the widest window that shows the scene. `narrowest`: also that without a picture. */
export function shotsUpTo(widest = Infinity, { narrowest }: { narrowest: boolean }): Shot[] {
  const sizes = [...SIZES, ...(narrowest ? [NARROWEST] : [])].filter(({ width }) => width <= widest);
  return sizes.flatMap((size) => SCHEMES.map((colorScheme) => ({ ...size, colorScheme })));
}

/**
 * The one window in which the short form checks a scene, by the number of the scene (from 0). Of 6 scenes that follow each
 * other and fit every window, each has another size and scheme.
 */
export function dealt(scene: number, widest = Infinity): Shot {
  const sizes = fewSizesUpTo(widest);
  return { ...sizes[scene % sizes.length]!, colorScheme: SCHEMES[scene % SCHEMES.length]! };
}
