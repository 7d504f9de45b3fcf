import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentHash, filesAt } from '../../scripts/setup/inputs.mjs';

describe('the inputs of a check', () => {
  let root: string;
  const mark = () => contentHash(root, ['src', 'config.ts', 'missing']);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'broadsheet-inputs-'));
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });
    writeFileSync(join(root, 'src', 'deep', 'a.ts'), 'one');
    writeFileSync(join(root, 'config.ts'), 'two');
    writeFileSync(join(root, 'other.ts'), 'three');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('are the files at and under the paths, each once', () => {
    expect(filesAt(root, ['src', 'config.ts', 'src/deep', 'missing'])).toEqual(['config.ts', 'src/deep/a.ts']);
  });

  it.each([
    ['a file is touched', () => utimesSync(join(root, 'config.ts'), 1, 1)],
    ['another file is changed', () => writeFileSync(join(root, 'other.ts'), 'four')],
  ])('have the same hash when %s', (_what, change) => {
    const before = mark();
    change();
    expect(mark()).toBe(before);
  });

  it.each([
    ['changed', () => writeFileSync(join(root, 'src', 'deep', 'a.ts'), 'eno')],
    ['added', () => writeFileSync(join(root, 'src', 'b.ts'), '')],
    ['removed', () => rmSync(join(root, 'config.ts'))],
    ['renamed', () => renameSync(join(root, 'config.ts'), join(root, 'src', 'config.ts'))],
  ])('have another hash when a file is %s', (_what, change) => {
    const before = mark();
    change();
    expect(mark()).not.toBe(before);
  });
});
