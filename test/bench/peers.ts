import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, type Whole } from './child.ts';

/** The version of newsboat on this computer; null without one. */
export function newsboatVersion(): string | null {
  const { status, stdout } = spawnSync('newsboat', ['--version'], { encoding: 'utf8' });
  return status === 0 ? (/newsboat (\S+)/i.exec(stdout)?.[1] ?? 'of unknown version') : null;
}

/**
 * Measures how newsboat stores all items of the feed: `process` in ms, `result` is the peak memory in MB. It makes no
 * index.
 */
export async function newsboat(address: string, folder: string): Promise<Whole<number>> {
  mkdirSync(folder, { recursive: true });
  const [urls, config, cache] = ['urls', 'config', 'cache.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(urls, `${address}/feed.xml\n`);
  writeFileSync(config, 'max-items 0\ndownload-timeout 300\n');
  return runCommand(folder, 'newsboat', ['-u', urls, '-C', config, '-c', cache, '-x', 'reload']);
}
