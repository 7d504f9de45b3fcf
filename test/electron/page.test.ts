import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerPage, listPage, type PageFiles } from '../../src-main/electron/page.ts';

const SECRET = 'what lies beside the page';

let root: string;
let files: PageFiles;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'broadsheet-page-'));
  const page = join(root, 'renderer');
  await mkdir(join(page, 'assets'), { recursive: true });
  await mkdir(join(root, 'beside'));
  const contents = {
    'renderer/index.html': '<!doctype html>',
    'renderer/assets/index-1.js': 'export {}',
    'renderer/assets/index-1.css': 'p {}',
    'renderer/assets/text.woff2': 'font',
    'renderer/favicon.svg': '<svg/>',
    'renderer/.hidden': 'of the page',
    'renderer/notes.exe': 'of the page',
    'secret.txt': SECRET,
    'beside/secret.txt': SECRET,
  };
  for (const [name, content] of Object.entries(contents)) await writeFile(join(root, name), content);
  // Creating a link needs special rights on Windows.
  if (process.platform !== 'win32') {
    await symlink(join(root, 'secret.txt'), join(page, 'link.txt'));
    await symlink(join(root, 'beside'), join(page, 'folder'));
  }
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

  // These would leave the page's folder if they were used as paths.
  it.each([
    'app://broadsheet/../secret.txt',
    'app://broadsheet/assets/../../secret.txt',
    'app://broadsheet/%2e%2e/secret.txt',
    'app://broadsheet/%2e%2e%2fsecret.txt',
    'app://broadsheet/..%2fsecret.txt',
    'app://broadsheet/%252e%252e%252fsecret.txt',
    'app://broadsheet/..%255c..%255csecret.txt',
    'app://broadsheet/..\\secret.txt',
    'app://broadsheet/..%5csecret.txt',
    'app://broadsheet/assets/..%5c..%5csecret.txt',
    'app://broadsheet/assets\\..\\..\\secret.txt',
    'app://broadsheet/..%c0%afsecret.txt',
    'app://broadsheet/....//secret.txt',
    'app://broadsheet//etc/passwd',
    'app://broadsheet/C:/Windows/win.ini',
    'app://broadsheet/index.html%00.js',
    'app://broadsheet/../secret.txt%00.html',
    'app://broadsheet/index.html/../../secret.txt',
    'app://broadsheet/index.html:secret',
    'app://broadsheet/index.html.',
    'app://broadsheet/INDEX.HTML',
    'app://broadsheet/assets',
    'app://broadsheet/assets/',
    'app://broadsheet/link.txt',
    'app://broadsheet/folder/secret.txt',
    'app://broadsheet/.hidden',
    'app://broadsheet/notes.exe',
    'app://broadsheet/missing.js',
    'app://elsewhere/index.html',
    'app://broadsheet.example/index.html',
    'app://broadsheet:81/index.html',
    'app:///index.html',
  ])('serves nothing but the files of the page: %s', async (url) => {
    const response = await ask(url);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain(SECRET);
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
