import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readStaticFiles } from '../../../src-main/node/server/server.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'broadsheet-page-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('lists every file under its request path, with its type', async () => {
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), 'page');
  await writeFile(path.join(folder, 'assets', 'a font.woff2'), 'font');
  await writeFile(path.join(folder, 'assets', 'data.bin'), 'data');
  const files = await readStaticFiles(folder);
  expect([...files.keys()].sort()).toEqual(['/', '/assets/a%20font.woff2', '/assets/data.bin', '/index.html']);
  expect(files.get('/')).toEqual({ body: Buffer.from('page'), type: 'text/html; charset=utf-8' });
  expect(files.get('/assets/a%20font.woff2')?.type).toBe('font/woff2');
  expect(files.get('/assets/data.bin')?.type).toBe('application/octet-stream');
});

// Creating a link needs special rights on Windows.
it.skipIf(process.platform === 'win32')('skips links, which may lead anywhere', async () => {
  await symlink('/etc/hosts', path.join(folder, 'hosts.txt'));
  expect(await readStaticFiles(folder)).toEqual(new Map());
});

it('is empty if the page has not been built', async () => {
  expect(await readStaticFiles(path.join(folder, 'missing'))).toEqual(new Map());
});
