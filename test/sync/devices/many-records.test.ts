import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { isWhole } from '../../support/proofs.ts';
import { EVERYTHING, markAllRead, storeListed } from '../../support/store.ts';
import { isTimed } from '../../support/timed.ts';
import { openDevice, type Device } from './support.ts';

/** More than the laptop of a reader has in a year. */
const MANY = isWhole ? 100_000 : 1_200;
/** The engine answers calls between two steps, in ms. */
const LONGEST_STEP = 50;

/** Used by this thread, in ms: a busy computer makes no difference. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The longest time during `work` in which nothing else could run, in ms of processor time. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  // Otherwise the garbage of the set-up would be collected meanwhile.
  collectGarbage();
  let [longest, last, going] = [0, processorTime(), true];
  const watch = (): void => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (going) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  going = false;
  return longest;
}

function bytesOf(folder: string, { id }: Device): number {
  const path = join(folder, 'broadsheet-devices', id);
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

describe('marking everything as read', () => {
  // Encrypted, it does everything else, too.
  const passphrases = isWhole ? [undefined, 'correct horse battery'] : ['correct horse battery'];
  it.each(passphrases)('takes little room, and never holds the engine (%s)', async (passphrase) => {
    const folder = temporaryFolder();
    const one = await openDevice(folder, 'desk', fakeClock(), passphrase);
    const other = await openDevice(folder, 'laptop', fakeClock(), passphrase);
    const news = items(MANY);
    for (const { store } of [one, other]) storeListed(store, news);
    markAllRead(one.store, EVERYTHING, MANY);
    const written = await longestHold(() => one.sharing.compare());
    const taken = await longestHold(() => other.sharing.compare());
    expect([one, other].map(({ store }) => store.queries.items.counts().all.unread)).toEqual([0, 0]);
    expect(bytesOf(folder, one)).toBeLessThan(MANY * 24);
    if (isTimed) expect(Math.max(written, taken)).toBeLessThan(LONGEST_STEP);
    // A device that starts reads everything again, and writes nothing.
    const again = await longestHold(() => one.sharing.compare());
    if (isTimed) expect(again).toBeLessThan(LONGEST_STEP);
    expect(bytesOf(folder, other)).toBeLessThan(1_000);
  });
});
