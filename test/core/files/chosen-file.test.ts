import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  openSync,
  closeSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileToWrite, placeToWrite, readChosenFile } from '../../../src-main/core/files/chosen-file.ts';
import { temporaryFolder } from '../../support/folders.ts';

const REFUSED = { code: 'file_refused' };
const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('a file that a person names', () => {
  it('is the one to which its links lead, also if that is missing', async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(elsewhere, 'deep'));
    writeFileSync(join(elsewhere, 'there'), '');
    symlinkSync(join(elsewhere, 'deep'), join(folder, 'deep'));
    symlinkSync('deep/../there', join(folder, 'relative'));
    symlinkSync('relative', join(folder, 'chain'));
    symlinkSync(join(elsewhere, 'missing'), join(folder, 'dangling'));
    expect(await fileToWrite(join(folder, 'chain'), [])).toBe(join(elsewhere, 'there'));
    expect(await fileToWrite(join(folder, 'dangling'), [])).toBe(join(elsewhere, 'missing'));
    expect(await fileToWrite(join(folder, 'deep', 'new'), [])).toBe(join(elsewhere, 'deep', 'new'));
    symlinkSync('endless', join(folder, 'endless'));
    for (const path of ['endless', 'endless/file'])
      await expect(fileToWrite(join(folder, path), [])).rejects.toMatchObject({
        code: 'file_refused',
        message: `${join(folder, path)} leads through links that never end. Choose another name.`,
      });
    await expect(fileToWrite(join(folder, 'no', 'folder'), [])).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is no pipe and no device', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('pipe', join(folder, 'to a pipe'));
    symlinkSync('/dev/null', join(folder, 'to a device'));
    for (const name of ['pipe', 'to a pipe', 'to a device']) {
      await expect(fileToWrite(join(folder, name), [])).rejects.toMatchObject(REFUSED);
      await expect(readChosenFile(join(folder, name), 10)).rejects.toMatchObject(REFUSED);
    }
  });

  it.skipIf(process.platform !== 'linux')('is no file that another program has open, as /dev/stdout is', async () => {
    const folder = temporaryFolder();
    const handle = openSync(join(folder, 'open'), 'w');
    onTestFinished(() => closeSync(handle));
    symlinkSync(`/proc/self/fd/${String(handle)}`, join(folder, 'stdout'));
    await expect(fileToWrite(join(folder, 'stdout'), [])).rejects.toMatchObject(REFUSED);
  });

  it('is not in the data folder, whatever the folder is called', async () => {
    const [data, folder] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(data, 'backups'));
    symlinkSync(data, join(folder, 'to the folder'));
    symlinkSync(join(data, 'user.db'), join(folder, 'to a file'));
    const inside = [
      join(data, 'user.db'),
      join(data, 'backups', 'new'),
      join(folder, 'to the folder', 'user.db'),
      join(folder, 'to a file'),
    ];
    const named = join(folder, 'to the folder');
    for (const own of [data, named]) {
      for (const file of inside) await expect(fileToWrite(file, [own])).rejects.toMatchObject(REFUSED);
      await expect(placeToWrite(join(named, 'no', 'such'), [own])).rejects.toMatchObject(REFUSED);
      expect(await fileToWrite(join(folder, 'free'), [own, join(folder, 'missing')])).toBe(join(folder, 'free'));
    }
  });

  it.skipIf(process.getuid?.() !== 0)('is not chosen by the link of another user in a folder like /tmp', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine', 'file'), '');
    symlinkSync('mine/file', join(folder, 'planted'));
    symlinkSync('mine', join(folder, 'planted folder'));
    symlinkSync('planted folder/file', join(folder, 'ours, to planted'));
    const paths = ['planted', 'planted folder/file', 'ours, to planted'].map((name) => join(folder, name));
    for (const name of ['planted', 'planted folder']) lchownSync(join(folder, name), 65_534, 65_534);
    for (const path of paths) expect(await fileToWrite(path, [])).toBe(join(folder, 'mine', 'file'));
    chmodSync(folder, 0o1777);
    for (const path of paths) await expect(fileToWrite(path, [])).rejects.toMatchObject(REFUSED);
    // Nor by that of who owns the folder.
    chownSync(folder, 65_534, 65_534);
    for (const path of paths) await expect(fileToWrite(path, [])).rejects.toMatchObject(REFUSED);
    symlinkSync('mine/file', join(folder, 'ours'));
    expect(await fileToWrite(join(folder, 'ours'), [])).toBe(join(folder, 'mine', 'file'));
  });

  it('is read up to a limit', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '0123456789');
    expect(String(await readChosenFile(file, 10))).toBe('0123456789');
    await expect(readChosenFile(file, 9)).rejects.toMatchObject(REFUSED);
    // A file of the system that doesn't say how long it is.
    if (process.platform === 'linux')
      await expect(readChosenFile('/proc/self/status', 9)).rejects.toMatchObject(REFUSED);
    truncateSync(file, 2 ** 40);
    await expect(readChosenFile(file, 2 ** 30)).rejects.toMatchObject(REFUSED);
  });
});
