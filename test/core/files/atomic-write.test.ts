import { spawnSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import { explainWriteError, writeAtomically } from '../../../src-main/core/files/atomic-write.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadsheet-whole-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file that is written atomically', () => {
  it('has the new content in place of the old', async () => {
    const file = join(folder, 'a.pdf');
    await writeFile(file, 'longer than what comes after it');
    await writeAtomically(file, new Uint8Array([37, 80, 68, 70]));
    expect(await readFile(file, 'utf8')).toBe('%PDF');
    expect(await readdir(folder)).toEqual(['a.pdf']);
  });

  it.skipIf(process.platform === 'win32')('is only for its owner, also in place of another', async () => {
    for (const name of ['new.json', 'old.json']) {
      const file = join(folder, name);
      if (name === 'old.json') await writeFile(file, 'old', { mode: 0o644 });
      await writeAtomically(file, 'text');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
  });

  it.skipIf(process.platform === 'win32')('keeps the mode of the file that it replaces if told to', async () => {
    for (const mode of [0o644, 0o400, 0o664]) {
      const file = join(folder, mode.toString(8));
      await writeFile(file, 'old');
      await chmod(file, mode);
      await writeAtomically(file, 'text', { keepsMode: true });
      expect((await stat(file)).mode & 0o777).toBe(mode);
    }
    await writeAtomically(join(folder, 'new'), 'text', { keepsMode: true });
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.getuid?.() !== 0)('opens to nobody what replaces the file of another user or group', async () => {
    const modes = [];
    for (const [name, user, group] of [['user', 65_534, 65_534] as const, ['group', 0, 65_534] as const]) {
      const file = join(folder, name);
      await writeFile(file, 'old');
      await chmod(file, 0o664);
      await chown(file, user, group);
      await writeAtomically(file, 'text', { keepsMode: true });
      modes.push(((await stat(file)).mode & 0o777).toString(8));
    }
    expect(modes).toEqual(['600', '604']);
  });

  it.skipIf(process.platform === 'win32')(
    'follows no link, neither its own name nor that of an unfinished one',
    async () => {
      const victim = join(folder, 'victim');
      await writeFile(victim, 'mine');
      for (const name of ['a.json', '.a.json.unfinished']) await symlink(victim, join(folder, name));
      await writeAtomically(join(folder, 'a.json'), 'text');
      expect(await readFile(victim, 'utf8')).toBe('mine');
      expect((await lstat(join(folder, 'a.json'))).isFile()).toBe(true);
    },
  );

  it('removes what a killed process left of it, and nothing else', async () => {
    const others = [
      '.a.json.unfinished',
      `.a.json.${String(process.pid)}-0123456789abcdef.unfinished`,
      '.b.json.1.unfinished',
    ];
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    for (const name of [...others, `.a.json.${String(gone)}-0123456789abcdef.unfinished`])
      await writeFile(join(folder, name), '');
    await writeAtomically(join(folder, 'a.json'), 'text');
    expect((await readdir(folder)).sort()).toEqual([...others, 'a.json'].sort());
  });

  it('leaves nothing behind if it cannot be renamed', async () => {
    await mkdir(join(folder, 'a.pdf'));
    await expect(writeAtomically(join(folder, 'a.pdf'), 'text')).rejects.toThrow();
    await expect(writeAtomically(join(folder, 'missing', 'a.pdf'), 'text')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(folder)).toEqual(['a.pdf']);
  });
});

describe('a failed write', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EACCES', 'data_read_only'],
    ['EPERM', 'data_read_only'],
    ['EROFS', 'data_read_only'],
  ])('%s is %s, with the name of the file', (system, code) => {
    const explained = explainWriteError('/a/b.pdf', Object.assign(new Error('no'), { code: system }));
    expect(explained).toBeInstanceOf(BroadsheetError);
    expect(explained).toMatchObject({ code, message: expect.stringContaining('/a/b.pdf') as unknown });
  });

  it.each([new TypeError('a defect'), undefined, null, 'text'])('%s is unchanged', (thrown) => {
    expect(explainWriteError('/a/b.pdf', thrown)).toBe(thrown);
  });
});
