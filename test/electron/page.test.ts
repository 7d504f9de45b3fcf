import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  await writeFile(join(page, 'index.html'), '<!doctype html>');
  await writeFile(join(page, 'assets/index-1.js'), 'export {}');
  await writeFile(join(page, 'assets/index-1.css'), 'p {}');
  await writeFile(join(page, 'assets/text.woff2'), 'font');
  await writeFile(join(page, 'favicon.svg'), '<svg/>');
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

  it('only supports reading', async () => {
    expect((await ask('app://broadsheet/', 'POST')).status).toBe(405);
    expect((await ask('app://broadsheet/', 'HEAD')).status).toBe(200);
  });

  it.each(['app://broadsheet/', 'app://broadsheet/missing'])(
    'reaches nobody, and is neither guessed at nor named to others: %s',
    async (url) => {
      const { headers } = await ask(url);
      expect(headers.get('content-security-policy')).toContain("connect-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  it('has no files if the page has not been built', () => {
    expect(listPage(join(root, 'nowhere')).size).toBe(0);
  });
});
