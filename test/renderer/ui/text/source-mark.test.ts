import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sourceMark } from '../../../../src-renderer/ui/text/source-mark.ts';

const CSS = readFileSync('src-renderer/styles/shared.css', 'utf8');
const HUES = Array.from({ length: 500 }, (_, n) => sourceMark(`Source ${String(n)}`).hue);

/** The luminance of a colour in OKLCH, by CSS Color 4. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Lightness and chroma of a property, in the light theme and in the dark one. */
function colorsOf(property: string): [number, number][] {
  const [rule = ''] = /\.source-mark \{[^}]*\}/.exec(CSS) ?? [];
  const [, value = ''] = new RegExp(`\\n\\s+${property}: light-dark\\((.*)\\);`).exec(rule) ?? [];
  return [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) var\(--hue\)\)/g)].map(([, l, c]) => [Number(l), Number(c)]);
}

describe('the letter mark of a source', () => {
  it.each([
    ['Northlight Blog', 'N'],
    ['X：Lab (@lab)', 'L'],
    ['“quoted” news', 'Q'],
    ['窄门笔记', '窄'],
    ['𝒜 wide letter', '𝒜'],
    ['ßource', 'S'],
    ['36Kr', '3'],
    ['***', '·'],
    [null, '·'],
  ])('of %s is %s', (name, letter) => {
    expect(sourceMark(name).letter).toBe(letter);
  });

  it('has one colour for all names of a source, and different ones for different sources', () => {
    expect(sourceMark('northlight  BLOG').hue).toBe(sourceMark('Northlight Blog').hue);
    const counts = Object.values(Object.groupBy(HUES, String)).map((same) => same?.length ?? 0);
    expect(counts).toHaveLength(12);
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });

  it('can be read in both themes: the contrast is 4.5:1 at least, in every colour', () => {
    const [backgrounds, letters] = [colorsOf('background'), colorsOf('color')];
    expect([backgrounds.length, letters.length]).toEqual([2, 2]);
    for (const theme of [0, 1] as const) {
      for (const hue of new Set(HUES)) {
        const [back, front] = [backgrounds[theme]!, letters[theme]!];
        expect(contrast(luminance(...back, hue), luminance(...front, hue)), `${String(hue)}°`).toBeGreaterThan(4.5);
      }
    }
  });
});
