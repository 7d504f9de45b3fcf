import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { updateCheck, type Updater } from '../../src-main/electron/updates.ts';
import { temporaryFolder } from '../support/folders.ts';

/** The result of the updater, and its settings when it was called. */
function looking(found: { version: string; newer: boolean } | 'offline', updates = true) {
  const asked: object[] = [];
  const resourcesPath = temporaryFolder();
  writeFileSync(join(resourcesPath, 'app-update.yml'), 'provider: generic\n');
  const updater: Updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    allowDowngrade: true,
    async checkForUpdates() {
      const { autoDownload, autoInstallOnAppQuit, allowDowngrade } = updater;
      asked.push({ autoDownload, autoInstallOnAppQuit, allowDowngrade });
      if (found === 'offline') throw new Error('net::ERR_INTERNET_DISCONNECTED');
      return {
        isUpdateAvailable: found.newer,
        updateInfo: { version: found.version } as never,
        versionInfo: null as never,
      };
    },
  };
  const check = updateCheck({
    isPackaged: true,
    resourcesPath,
    settings: { get: () => ({ ...DEFAULT_SETTINGS, updates }) },
    load: async () => updater,
  });
  return { check: check!, asked };
}

describe('checking for updates', () => {
  it.each([
    ['run from source', { isPackaged: false, resourcesPath: '/nowhere' }],
    ['packed without an update address', { isPackaged: true, resourcesPath: '/nowhere' }],
    ['without resources', { isPackaged: true, resourcesPath: undefined }],
  ])('is not available if the app is %s', (_how, where) => {
    const load = () => Promise.reject(new Error('Nobody asked for it'));
    expect(updateCheck({ ...where, settings: { get: () => DEFAULT_SETTINGS }, load })).toBeUndefined();
  });

  it('returns the newer version, and downloads nothing', async () => {
    const { check, asked } = looking({ version: '1.2.0', newer: true });
    expect(await check()).toBe('1.2.0');
    expect(asked).toEqual([{ autoDownload: false, autoInstallOnAppQuit: false, allowDowngrade: false }]);
  });

  it('returns null for the newest version', async () => {
    expect(await looking({ version: '0.1.0', newer: false }).check()).toBe(null);
  });

  it('sends no request while the setting is off, which is the default', async () => {
    expect(DEFAULT_SETTINGS.updates).toBe(false);
    const { check, asked } = looking({ version: '1.2.0', newer: true }, false);
    await expect(check()).rejects.toMatchObject({ code: 'not_supported' });
    expect(asked).toEqual([]);
  });

  it('can be tried again after a network error', async () => {
    await expect(looking('offline').check()).rejects.toMatchObject({ code: 'unreachable', retryable: true });
  });
});
