import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ruleId, ruleName, time } from '../contract/guards.ts';
import { LIVE_FEEDS } from '../contract/model/export.ts';
import { explainWriteError, writeAtomically } from '../core/files/atomic-write.ts';

/** One file a feed, so that adding one never undoes another. The tokens are secrets (docs/decisions/009): mode 0600. */
const FOLDER = 'feeds';
const END = '.json';
export const MOST_FEEDS = 100;

const FEED = z.strictObject({
  of: z.enum(LIVE_FEEDS),
  search: z.strictObject({ id: ruleId, name: ruleName }).nullable(),
  token: z.string().regex(/^[\w-]{43}$/),
  addedAt: time,
});
export type Feed = z.infer<typeof FEED>;

/** `serve` reads them for each request. `unusable` are damaged, or could be read by others. */
export async function savedFeeds(folder: string): Promise<{ feeds: Feed[]; unusable: string[] }> {
  const names = (await readdir(join(folder, FOLDER)).catch(() => [])).filter((name) => name.endsWith(END)).sort();
  const read = await Promise.all(names.map((name) => readFeed(join(folder, FOLDER, name))));
  return { feeds: read.filter((feed) => feed !== null), unusable: names.filter((_, at) => read[at] === null) };
}

async function readFeed(file: string): Promise<Feed | null> {
  try {
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) return null;
    return FEED.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Errors: `disk_full`, `data_read_only`. */
export async function saveFeed(folder: string, feed: Feed): Promise<void> {
  const { makeDataFolder } = await import('../core/core.ts');
  const file = fileOf(folder, feed);
  await explain(file, async () => {
    makeDataFolder(join(folder, FOLDER));
    await writeAtomically(file, `${JSON.stringify(feed)}\n`);
  });
}

/** Errors: `data_read_only`. */
export async function removeFeed(folder: string, feed: Feed): Promise<void> {
  const file = fileOf(folder, feed);
  await explain(file, () => rm(file, { force: true }));
}

async function explain(file: string, change: () => Promise<void>): Promise<void> {
  await change().catch((cause: unknown) => {
    throw explainWriteError(file, cause);
  });
}

function fileOf(folder: string, { of, search }: Feed): string {
  return join(folder, FOLDER, `${search === null ? of : `${of}-${search.id}`}${END}`);
}
