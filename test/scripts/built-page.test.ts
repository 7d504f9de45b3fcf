import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_PAGE as page, firstLoad, neededAtStart } from '../support/built-page.ts';

describe.skipIf(!existsSync(join(page, 'index.html')))('the built page (skipped before "npm run build")', () => {
  it('is one script and one style sheet with two fonts, so that all of it works after the host has ended', () => {
    const needed = neededAtStart();
    expect(needed.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['css', 'js', 'woff2', 'woff2']);
    expect(globSync('assets/*.{js,css}', { cwd: page })).toHaveLength(2);
  });

  it('has no guards of methods: it imports only their types', () => {
    const scripts = globSync('**/*.js', { cwd: page });
    expect(scripts.length).toBeGreaterThan(0);
    // The property of every schema of zod.
    expect(scripts.filter((name) => readFileSync(join(page, name), 'utf8').includes('_zod'))).toEqual([]);
  });

  it('is at most 370 kB, compressed, and two fonts of 100 kB together', () => {
    const { compressed, fonts } = firstLoad();
    expect(compressed).toBeLessThan(370_000);
    expect(fonts).toBeLessThan(100_000);
  });

  it('asks at once for the two fonts that every page shows, from its own origin', () => {
    const html = readFileSync(join(page, 'index.html'), 'utf8');
    const early = [...html.matchAll(/<link\s[^>]*rel="preload"[^>]*>/g)].map(([tag]) => tag);
    expect(early).toHaveLength(2);
    for (const tag of early) expect(tag).toMatch(/as="font"[^>]*crossorigin/);
    expect(early.join(' ')).toMatch(/inter-latin-wght-normal.*source-serif-4-latin-wght-normal/s);
    const css = readFileSync(
      join(
        page,
        'assets',
        neededAtStart().find((name) => name.endsWith('.css'))!,
      ),
      'utf8',
    );
    const sources = [...css.matchAll(/src:\s*url\(([^)]+)\)/g)].map(([, url = '']) => url);
    expect(sources.length).toBeGreaterThan(4);
    for (const source of sources) expect(source).toMatch(/^\.\/[\w-]+\.woff2$/);
  });
});
