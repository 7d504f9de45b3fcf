import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerPage, listPage, type PageFiles } from '../../src-main/electron/page.ts';

let root: string;
let files: PageFiles;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'broadsheet-page-'));
  const page = join(root, 'renderer');
  await mkdir(join(page, 'assets'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(page, 'index.html'), '<!doctype html>');
  await writeFile(join(page, 'assets/index-1.js'), 'export {}');
  await writeFile(join(page, 'assets/index-1.css'), 'p {}');
  await writeFile(join(page, 'assets/text.woff2'), 'font');
  await writeFile(join(page, 'favicon.svg'), '<svg/>');
  await writeFile(join(page, 'notes.exe'), 'binary');
  await symlink(join(root, 'secret.txt'), join(page, 'link.txt'));
  files = listPage(page);
});

afterAll(() => rm(root, { recursive: true }));

const ask = (url: string, method = 'GET') => answerPage(files, new Request(url, { method }));

describe("the page's scheme", () => {
  it.each([
    ['app://broadsheet/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://broadsheet/index.html?a=1', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://broadsheet/assets/index-1.js', 'text/javascript; charset=utf-8', 'export {}'],
    ['app://broadsheet/assets/index-1.css', 'text/css; charset=utf-8', 'p {}'],
    ['app://broadsheet/assets/text.woff2', 'font/woff2', 'font'],
    ['app://broadsheet/favicon.svg', 'image/svg+xml', '<svg/>'],
  ])('serves %s', async (url, type, body) => {
    const response = await ask(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toBe(body);
  });

  it.each([
    'app://broadsheet/../secret.txt',
    'app://broadsheet/%2e%2e/secret.txt',
    'app://broadsheet/..%2fsecret.txt',
    'app://broadsheet/assets/..%5c..%5csecret.txt',
    'app://broadsheet/assets/../../secret.txt',
    'app://broadsheet//etc/passwd',
    'app://broadsheet/assets',
    'app://broadsheet/assets/',
    'app://broadsheet/index.html%00.js',
    'app://broadsheet/link.txt',
    'app://broadsheet/notes.exe',
    'app://broadsheet/missing.js',
    'app://elsewhere/index.html',
    'app://broadsheet.example/index.html',
  ])('has no file at %s', async (url) => {
    const response = await ask(url);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  });

  it('only supports reading', async () => {
    expect((await ask('app://broadsheet/', 'POST')).status).toBe(405);
    expect((await ask('app://broadsheet/', 'HEAD')).status).toBe(200);
  });

  it.each(['app://broadsheet/', 'app://broadsheet/missing'])(
    'sends its policy with every response: %s',
    async (url) => {
      const { headers } = await ask(url);
      const policy = new Map(
        (headers.get('content-security-policy') ?? '')
          .split('; ')
          .map((rule) => rule.split(/ (.*)/, 2) as [string, string]),
      );
      expect(policy.get('default-src')).toBe("'none'");
      expect(policy.get('script-src')).toBe("'self'");
      expect(policy.get('connect-src')).toBe("'none'");
      expect(policy.get('font-src')).toBe("'self'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  it('has no files if the page has not been built', () => {
    expect(listPage(join(root, 'nowhere')).size).toBe(0);
  });
});
