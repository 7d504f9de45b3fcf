import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SafeFolder } from '../../../src-main/sync/devices/safe-folder.ts';
import { temporaryFolder } from '../../support/folders.ts';

/** By its handle, as on Linux, and by its path, as elsewhere. */
const WAYS = process.platform === 'linux' ? [true, false] : [false];

function places(): { chosen: string; outside: string } {
  const place = temporaryFolder();
  const [chosen, outside] = [join(place, 'chosen'), join(place, 'outside')];
  for (const path of [chosen, outside, join(chosen, 'inner')]) mkdirSync(path);
  writeFileSync(join(outside, 'file'), 'outside');
  writeFileSync(join(chosen, 'inner', 'file'), 'inside');
  return { chosen, outside };
}

describe.skipIf(process.platform === 'win32').each(WAYS)(
  'a folder that others write into (by handle: %s)',
  (byHandle) => {
    it('may be a link itself, and has no folder or file that is one', async () => {
      const { chosen, outside } = places();
      symlinkSync(chosen, `${chosen}-link`);
      symlinkSync(outside, join(chosen, 'link'));
      symlinkSync(join(outside, 'file'), join(chosen, 'inner', 'link'));
      const folder = await SafeFolder.open(`${chosen}-link`, byHandle);
      const inner = await folder.folder('inner');
      for (const name of ['folder', 'createFolder'] as const) {
        await expect(folder[name]('link')).rejects.toMatchObject({ code: 'ENOTDIR' });
      }
      expect([await inner.read('link'), await inner.append('link'), await inner.state('link')]).toEqual([
        null,
        null,
        null,
      ]);
      await expect(inner.create('link')).rejects.toMatchObject({ code: 'EEXIST' });
      const file = await inner.read('file');
      expect(await file?.readFile('utf8')).toBe('inside');
      for (const one of [file, inner, folder]) await one?.close();
    });

    it('is used as it was opened, or not at all, when a link takes its place', async () => {
      const { chosen, outside } = places();
      const folder = await SafeFolder.open(chosen, byHandle);
      const inner = await folder.folder('inner');
      renameSync(join(chosen, 'inner'), join(chosen, 'away'));
      symlinkSync(outside, join(chosen, 'inner'));
      await inner.remove('file').catch(() => undefined);
      await inner.rename('file', 'other').catch(() => undefined);
      const made = await inner.create('made').catch(() => null);
      expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('outside');
      expect(readdirSync(outside)).toEqual(['file']);
      for (const one of [made, inner, folder]) await one?.close();
    });

    it('lists at most as many names as it is asked for, and removes links, not what they lead to', async () => {
      const { chosen, outside } = places();
      for (let index = 0; index < 20; index += 1) writeFileSync(join(chosen, String(index)), '');
      const folder = await SafeFolder.open(chosen, byHandle);
      const { folders, others, more } = await folder.names(10);
      expect([folders.length + others.length, more]).toEqual([10, true]);
      symlinkSync(join(outside, 'file'), join(chosen, 'link'));
      linkSync(join(outside, 'file'), join(chosen, 'hard'));
      for (const name of ['link', 'hard', 'missing']) await folder.remove(name);
      expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('outside');
      await folder.close();
    });
  },
);
