import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
