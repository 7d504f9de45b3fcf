import { expect, it } from 'vitest';
import { openForReading, openForWriting } from '../../../src-main/store/database/connection.ts';
import { storeFiles } from '../../../src-main/store/database/files.ts';
import { temporaryFolder } from '../../support/folders.ts';

const LARGEST_KIB = 8 * 1024;

it('limits the pages that a connection keeps of each file', () => {
  const folder = temporaryFolder();
  const writing = openForWriting(folder, 'https://news.example', Date.UTC(2026, 6, 1));
  const reading = openForReading(storeFiles(folder));
  for (const database of [writing.database, reading]) {
    const attached = database.pragma('database_list') as { name: string }[];
    // A negative number is a size in KiB.
    const sizes = attached.map(({ name }) => -Number(database.pragma(`${name}.cache_size`, { simple: true })));
    expect(attached).toHaveLength(3);
    for (const size of sizes) expect(size).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_KIB);
  }
  reading.close();
  writing.close();
});
