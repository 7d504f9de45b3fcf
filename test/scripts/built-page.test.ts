import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const page = join(import.meta.dirname, '../../out/renderer');

describe.skipIf(!existsSync(join(page, 'index.html')))('the built page (skipped before "npm run build")', () => {
  it('needs one script and one style sheet of its own at the start, not one for each part', () => {
    const html = readFileSync(join(page, 'index.html'), 'utf8');
    const needed = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(needed.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['css', 'js']);
    const [script = ''] = needed.filter((name) => name.endsWith('.js'));
    // What is imported statically would be loaded too.
    expect(readFileSync(join(page, 'assets', script), 'utf8')).not.toMatch(
      /\bimport\s*(?:[\w{*][^()]*?from\s*)?["']\.\//,
    );
  });
});
