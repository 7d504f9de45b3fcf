import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAtomically, writeAtomicallySync } from '../../../src-main/core/files/atomic-write.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { contentOf, forgetfulDisk } from '../../support/forgetful-disk.ts';

describe.each([
  ['in the background', writeAtomically],
  [
    'at once',
    async (file: string, text: string) => {
      writeAtomicallySync(file, text);
    },
  ],
])('a file that is written atomically %s', (_name, write) => {
  it('has its old or its new content after a power failure at any moment', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.json');
    writeFileSync(file, 'old');
    const seen: unknown[] = [];
    const disk = forgetfulDisk(folder, ({ least, names }) =>
      seen.push(contentOf(least, 'a.json'), contentOf(names, 'a.json')),
    );
    await write(file, 'new');
    expect(seen).toContain('old');
    expect(seen.filter((content) => content !== 'old' && content !== 'new')).toEqual([]);
    expect(contentOf(disk.names, 'a.json')).toBe('new');
  });
});

it('a file that was written atomically in the background is there after a power failure', async () => {
  const folder = temporaryFolder();
  const disk = forgetfulDisk(folder);
  await writeAtomically(join(folder, 'new.json'), 'new');
  expect([...disk.least]).toEqual([[join(folder, 'new.json'), 'new']]);
});
