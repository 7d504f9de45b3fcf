import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLeftover } from './atomic-write.ts';

/** Written by the library for settings and window states. */
const OF_CONF = /^[a-z-]+\.json\.tmp-\d{10}[0-9a-f]{6}$/;
/** In ms. No small file takes this long. */
const ABANDONED_AFTER = 60_000;

/** Cleans up unfinished files of killed processes; failures don't matter. `now` is ms since 1970. */
export function removeLeftovers(folder: string, now: number): void {
  try {
    const names = readdirSync(folder).filter((name) => isLeftover(name) || OF_CONF.test(name));
    for (const name of names) {
      const file = join(folder, name);
      const found = lstatSync(file);
      const isOld = isLeftover(name) || now - found.mtimeMs > ABANDONED_AFTER;
      if (found.isFile() && isOld) rmSync(file, { force: true });
    }
  } catch {
    // Failures don't matter.
  }
}
