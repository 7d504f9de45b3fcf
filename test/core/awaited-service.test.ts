import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoService } from '../../src-main/demo/service.ts';
import { EVERYTHING, rowsOf } from '../support/selected-set.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const NOBODY = 'http://127.0.0.1:9';

/** An app with a page whose mirror is complete, and what its list has. */
async function openScene() {
  const app = await openTestApp({ folder: 'temporary', keepsService: true });
  await app.call('sync.run', { urgency: 'now' });
  return { app, before: await titles(app) };
}

const titles = async (app: TestApp) => (await rowsOf(app, EVERYTHING)).map(({ title }) => title);
const use = (app: TestApp, newsAddress: string) => app.call('settings.set', { patch: { newsAddress } });

/** Starts another service, which does not answer until `isUp`. */
async function otherService({ clock }: TestApp, isUp: boolean, headers: Record<string, string> = {}) {
  const state = { isUp, requests: 0 };
  const service = await startDemoService({
    clock,
    content: { selected: 3, days: 2 },
    intercept: (_, response) => {
      state.requests += 1;
      if (!state.isUp) response.writeHead(503, headers).end();
      return !state.isUp;
    },
  });
  onTestFinished(() => service.close());
  return { service, state, address: service.newsAddress };
}

describe('a new address of the news service', () => {
  it('leaves the earlier service in use, with lists, marks and syncs, while it has never answered', async () => {
    const { app, before } = await openScene();
    const earlier = app.service.newsAddress;
    expect(await use(app, NOBODY)).toMatchObject({ newsAddress: NOBODY });
    const look = async () => {
      expect(await app.call('sync.status', {})).toMatchObject({
        source: { address: earlier, awaited: NOBODY, from: 'settings' },
        selectedComplete: true,
      });
      expect(await titles(app)).toEqual(before);
    };
    await look();
    const [row] = await rowsOf(app, EVERYTHING);
    await app.call('items.mark', { ids: [row?.id ?? ''], mark: 'star' });
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true, counts: { starred: 1 } });
    await app.reopen();
    await look();

    // The way back.
    await use(app, earlier);
    const source = await app.call('source.get', {});
    expect(source).toEqual({ address: earlier, demo: false, from: 'settings' });
    expect(await app.call('counts.get', {})).toMatchObject({ starred: { total: 1 } });
  });

  it('is asked again until it answers, and used from then on', async () => {
    const { app, before } = await openScene();
    const { address, state } = await otherService(app, false);
    app.core.start();
    await use(app, address);
    await vi.waitUntil(() => state.requests === 2);
    expect(await titles(app)).toEqual(before);
    state.isUp = true;
    await vi.waitUntil(async () => {
      app.clock.advance(10_000);
      return (await app.call('source.get', {})).address === address;
    });
    expect(app.heard('data.replaced')).not.toEqual([]);
    await vi.waitUntil(async () => (await app.call('sync.status', {})).selectedComplete);
    expect(await app.call('source.get', {})).toEqual({ address, demo: false, from: 'settings' });
  });

  it('is asked nothing while it asks to wait', async () => {
    const { app } = await openScene();
    const { address, state } = await otherService(app, false, { 'retry-after': '3600' });
    app.core.start();
    await use(app, address);
    for (let minutes = 0; minutes < 59; minutes += 1) {
      app.clock.advance(60_000);
      // Fails without a request.
      expect(await app.reply('source.test', { address })).toMatchObject({ error: { code: 'rate_limited' } });
    }
    expect(state.requests).toBe(1);
    state.isUp = true;
    app.clock.advance(60_000);
    await vi.waitUntil(async () => (await app.reply('source.test', { address })).ok);
  });

  it('is used although it does not answer now, if it once sent its news', async () => {
    const { app } = await openScene();
    const { address, state } = await otherService(app, true);
    await use(app, address);
    await app.call('sync.run', { urgency: 'now' });
    const saved = await titles(app);
    await use(app, app.service.newsAddress);
    state.isUp = false;
    await use(app, address);
    expect(await app.call('source.get', {})).toEqual({ address, demo: false, from: 'settings' });
    expect(await titles(app)).toEqual(saved);
  });
});
