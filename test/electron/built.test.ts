import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runHost, type FakeHost } from './fake/index.ts';

// Every test starts processes, which take longer on a busy computer.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const entry = new URL('../../out/main/main.js', import.meta.url);

describe.skipIf(!existsSync(entry))('the built desktop app (skipped before "npm run build")', () => {
  let host: FakeHost;
  beforeAll(async () => {
    host = await runHost({ entry: entry.href, environment: { BROADSHEET_NEWS_URL: 'http://127.0.0.1:9' } });
  });
  afterAll(() => host.close());

  it('loads its page through its preload script', async () => {
    const { windows } = await host.driver.records();
    expect(windows[0]?.options.webPreferences?.preload).toMatch(/out.preload.preload\.cjs$/);
    expect(existsSync(windows[0]?.options.webPreferences?.preload ?? '')).toBe(true);
    expect(await host.driver.exposed()).toEqual({ call: 'function', on: 'function' });
  });

  it('serves the built page and all its files', async () => {
    const page = await host.driver.request('app://broadsheet/');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    // The policy allows no inline scripts or styles.
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=/);
    const named = [...page.body.matchAll(/(?:src|href)="(\.?\/[^"]+)"/g)].map(
      ([, path]) => new URL(path ?? '', 'app://broadsheet/').href,
    );
    expect(named.length).toBeGreaterThan(0);
    for (const url of named) expect(await host.driver.request(url)).toMatchObject({ status: 200 });
  });

  it('answers the page from its store, with the engine in a separate thread', async () => {
    expect(await host.driver.call('counts.get', {})).toMatchObject({
      ok: true,
      value: { all: { total: 0, unread: 0 } },
    });
  });
});

describe.skipIf(!existsSync(entry))('the built desktop app with a link', () => {
  const environment = { BROADSHEET_NEWS_URL: 'http://127.0.0.1:9' };
  const WAIT = { timeout: 30_000, interval: 50 };
  let host: FakeHost;
  beforeAll(async () => {
    host = await runHost({ entry: entry.href, environment, args: ['broadsheet://daily/2026-11-20'] });
  });
  afterAll(() => host.close());

  it('at its first start, and by a second instance', async () => {
    const target = () => host.driver.call('app.takeTarget', {});
    await expect.poll(target, WAIT).toMatchObject({ value: { target: { view: 'report', label: '2026-11-20' } } });
    await host.driver.minimize();
    await host.driver.secondInstance('broadsheet', '--some-switch', 'broadsheet://story/a');
    await expect.poll(target, WAIT).toMatchObject({ value: { target: { view: 'story', publicId: 'a' } } });
    expect((await host.driver.records()).windows[0]).toMatchObject({ minimized: false });
  });

  it('opens separate windows', async () => {
    const open = (publicId: string) => host.driver.call('app.openWindow', { target: { view: 'story', publicId } });
    for (const id of ['a', 'b', 'a']) expect(await open(id)).toMatchObject({ ok: true });
    const { windows } = await host.driver.records();
    expect(windows).toHaveLength(3);
    for (const { options } of windows) expect(options.webPreferences).toMatchObject({ sandbox: true });
  });

  it('reloads a crashed page once, and logs it', async () => {
    await host.driver.losePage(0, 'crashed');
    expect((await host.driver.records()).windows[0]?.did.filter((what) => what === 'reload')).toHaveLength(1);
    const log = join(host.dataFolder, 'logs', 'broadsheet.log');
    const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('process has ended'));
    expect(lines).toEqual([expect.stringContaining('A page process has ended: crashed, exit code')]);
    expect(lines[0]).not.toContain('trace');
  });
});
