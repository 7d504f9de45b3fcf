import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Declaration {
  file: string;
  property: string;
  value: string;
}

const files = globSync('src-renderer/**/*.{svelte,css}');

function declarationsIn(file: string): Declaration[] {
  const text = readFileSync(file, 'utf8');
  const css = file.endsWith('.css') ? text : (/<style>\n(.*)<\/style>/s.exec(text)?.[1] ?? '');
  const found = css.matchAll(/^\s+([a-z-]+):\s+([^;{]+);/gm);
  return [...found].map(([, property = '', value = '']) => ({ file, property, value }));
}

const declarations = files.flatMap(declarationsIn);

function others(property: RegExp, allowed: RegExp): Declaration[] {
  return declarations.filter((one) => property.test(one.property) && !allowed.test(one.value));
}

it('finds the declarations', () => {
  expect(declarations.length).toBeGreaterThan(2_000);
});

it('sets type in six sizes, but for parts of a line, print and the reader’s own size', () => {
  expect(
    others(/^font-size$/, /^(var\(--text-(xs|s|m|l|xl|2xl)\)|inherit|[\d.]+(em|pt)|calc\(var\(--text-size\).*)$/),
  ).toEqual([]);
});

it('uses three weights', () => {
  expect(others(/^font-weight$/, /^(400|550|700|inherit|\d00 900)$/)).toEqual([]);
});

it('takes spacing from the scale: other lengths follow the text or are as thin as a line', () => {
  const length = /(?<![\w.])(\d*\.?\d+)(rem|px)\b/g;
  const raw = others(/^(gap|row-gap|column-gap|padding|padding-.*|margin|margin-.*)$/, /^$/).filter(({ value }) =>
    [...value.matchAll(length)].some(([, number, unit]) => unit === 'rem' || Number(number) > 3),
  );
  expect(raw.map(({ file, property, value }) => `${file} ${property}: ${value}`)).toEqual([]);
});
