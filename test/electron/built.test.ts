import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runHost, type StandinHost } from './standin/index.ts';

// Every test starts whole processes; a busy machine takes its time over that.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const entry = new URL('../../out/main/main.js', import.meta.url);

describe.skipIf(!existsSync(entry))('the built desktop app (skipped before "npm run build")', () => {
  let host: StandinHost;
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

  it('serves the built page and everything it names', async () => {
    const page = await host.driver.request('app://broadsheet/');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    // The policy allows no script or style written into the page itself.
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=/);
    const named = [...page.body.matchAll(/(?:src|href)="(\.?\/[^"]+)"/g)].map(
      ([, path]) => new URL(path ?? '', 'app://broadsheet/').href,
    );
    expect(named.length).toBeGreaterThan(0);
    for (const url of named) expect(await host.driver.request(url)).toMatchObject({ status: 200 });
  });

  it('answers the page from its store, with the engine in a thread of its own', async () => {
    expect(await host.driver.call('counts.get', {})).toMatchObject({
      ok: true,
      value: { all: { total: 0, unread: 0 } },
    });
  });
});
