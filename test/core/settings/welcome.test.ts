import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { temporaryFolder } from '../../support/folders.ts';

const open = (folder: string) => openSettingsStore({ folder, clock: systemClock, log: () => undefined });

describe('the welcome', () => {
  it('is for a new data folder, until it was seen, also after another setting was saved', () => {
    const folder = temporaryFolder();
    const settings = open(folder);
    expect(settings.get().welcomed).toBe(false);
    settings.set({ ...settings.get(), theme: 'dark' });
    expect(settings.get().welcomed).toBe(false);
    expect(open(folder).get()).toMatchObject({ welcomed: false, theme: 'dark' });
    settings.set({ ...settings.get(), welcomed: true });
    expect(settings.get().welcomed).toBe(true);
    expect(open(folder).get().welcomed).toBe(true);
  });

  it.each([
    ['settings', 'settings.json', '{"theme": "dark"}'],
    ['broken settings', 'settings.json', '{'],
    ['data', 'user.db', ''],
  ])('is not for a folder with %s', (_, name, text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), text);
    expect(open(folder).get().welcomed).toBe(true);
  });
});
