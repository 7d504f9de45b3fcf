import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { BroadsheetError } from '../../../src-main/contract/errors.ts';
import { lockDataFolder } from '../../../src-main/store/index.ts';
import { SELECTED, rowsOf } from '../../support/selected-set.ts';
import { saveApp, type TestApp } from '../../support/test-app.ts';

/** For tests that hang. */
const PATIENCE = { timeout: 30_000 };

const WIRES = [
  ['this thread', {}],
  ['a thread of its own', { thread: true }],
] as const;

/** Runs `work` once, when the core has closed its files and is about to open them again. */
function whileClosed({ ports }: TestApp, work: () => void): void {
  const { get } = ports.settings;
  ports.settings.get = () => {
    ports.settings.get = get;
    work();
    return get();
  };
}

/** The next `times` attempts to open the files fail, for a reason that passes. */
function failNext({ ports, folder }: TestApp, times: number): void {
  let left = times;
  Object.defineProperty(ports, 'dataFolder', {
    configurable: true,
    get: () => ((left -= 1) >= 0 ? '/dev/null/nowhere' : folder),
  });
}

let backup = '';

const savedApp = saveApp({}, async (app) => {
  await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
  const [first] = await rowsOf(app, SELECTED);
  await app.call('items.mark', { ids: [first!.id], mark: 'star' });
  const { backups } = await app.call('data.backUp', {});
  backup = backups[0]?.name ?? '';
});

const starred = async ({ call }: TestApp) => (await call('counts.get', {})).starred.total;

describe.each(WIRES)('with the engine in %s, a folder whose files are closed for a moment', (_, options) => {
  it('stays locked for other processes', async () => {
    const app = await savedApp(options);
    let refused: unknown = 'not tried';
    whileClosed(app, () => {
      try {
        // Held until the test ends, like another process would.
        lockDataFolder(app.folder);
        refused = null;
      } catch (error) {
        refused = (error as BroadsheetError).code;
      }
    });
    expect(await app.reply('data.restore', { name: backup })).toMatchObject({ ok: true });
    expect(refused).toBe('data_in_use');
    expect(await starred(app)).toBe(1);
    await app.core.close();
    lockDataFolder(app.folder).release();
  });

  it('lets calls wait until the files are open again', async () => {
    const app = await savedApp(options);
    const restoring = app.reply('data.restore', { name: backup });
    const during: Promise<unknown>[] = [];
    whileClosed(app, () => {
      during.push(starred(app), app.call('items.mark', { ids: ['another'], mark: 'star' }));
    });
    expect(await restoring).toMatchObject({ ok: true });
    expect(during).toHaveLength(2);
    expect(await Promise.all(during)).toMatchObject([1, { changed: 1 }]);
  });
});

describe('files that cannot be opened again', () => {
  it('are tried again, and calls say why until then', async () => {
    const app = await savedApp();
    const gaveUp = vi.fn();
    Object.assign(app.ports, { gaveUp });
    whileClosed(app, () => failNext(app, 2));
    app.events.length = 0;
    const failure = { ok: false, error: { code: 'data_read_only', retryable: true } };
    expect(await app.reply('data.restore', { name: backup })).toMatchObject(failure);
    expect(await app.reply('counts.get', {})).toMatchObject(failure);
    expect(await app.reply('sync.run', { urgency: 'now' })).toMatchObject(failure);
    app.clock.advance(250);
    await vi.waitUntil(() => app.log.filter(({ message }) => message.includes('opened again')).length === 2, PATIENCE);
    expect(await app.reply('counts.get', {})).toMatchObject(failure);
    app.clock.advance(500);
    await vi.waitUntil(() => app.heard('data.replaced').length === 1, PATIENCE);
    expect(await starred(app)).toBe(1);
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect(gaveUp).not.toHaveBeenCalled();
    expect(app.clock.pending).toBe(0);
  });

  it('make the core give up once after half a minute, and it still tries', async () => {
    const app = await savedApp();
    const gaveUp = vi.fn();
    Object.assign(app.ports, { gaveUp });
    whileClosed(app, () => failNext(app, 9));
    await app.reply('data.rebuildMirror', {});
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      expect(gaveUp).toHaveBeenCalledTimes(attempt > 1 ? 1 : 0);
      app.clock.advance(30_000);
      await vi.waitUntil(
        () => app.log.filter(({ message }) => message.includes('opened again')).length > attempt,
        PATIENCE,
      );
    }
    app.clock.advance(30_000);
    await vi.waitUntil(() => app.heard('data.replaced').length === 1, PATIENCE);
    expect(gaveUp).toHaveBeenCalledOnce();
    expect(readdirSync(app.folder)).toContain('mirror.db');
  });

  it('do not keep the core from closing', async () => {
    const app = await savedApp({ thread: true });
    whileClosed(app, () => failNext(app, 1));
    await app.reply('data.rebuildMirror', {});
    await app.core.close();
    expect(app.clock.pending).toBe(0);
    lockDataFolder(app.folder).release();
    writeFileSync(join(app.folder, 'free'), '');
  });
});
