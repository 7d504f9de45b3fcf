import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = readFileSync(new URL('../../docs/checklist.md', import.meta.url), 'utf8');
const lines = [...text.matchAll(/^\| ([A-Z]+) \| (.+) \| (→ .+) \|$/gm)];

it('the checklist for a real computer fits on two pages', () => {
  // About 60 lines and 500 words on a page; long table lines wrap.
  expect(text.split('\n').length).toBeLessThan(90);
  expect(text.split(/\s+/).length).toBeLessThan(1000);
});

it('the checklist says what to do and what must be seen, in lines with a letter each', () => {
  const names = lines.map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(names).size).toBe(names.length);
  // Every line of a table, but the headings.
  expect(text.match(/^\| [A-Z]/gm)).toHaveLength(names.length);
});
