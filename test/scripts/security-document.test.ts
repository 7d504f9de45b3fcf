import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

it('SECURITY.md says who can do what, and what is out of scope', () => {
  const text = read('SECURITY.md');
  for (const who of ['Another user', 'Another page', 'Another program', 'news service', 'network', 'A package'])
    expect(text, who).toMatch(new RegExp(`^\\| \\*\\*[^*]*${who}`, 'm'));
  expect(text).toMatch(/^## Out of scope$/m);
  expect(read('README.md')).toContain('(SECURITY.md)');
});

it('SECURITY.md names tests and documents that exist', () => {
  const text = read('SECURITY.md');
  const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
  expect(tests.length).toBeGreaterThan(8);
  expect(links.length).toBeGreaterThan(3);
  for (const path of [...tests, ...links]) expect(existsSync(join(root, path)), path).toBe(true);
});
