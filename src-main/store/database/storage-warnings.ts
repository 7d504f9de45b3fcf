import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { newestSoundBackup } from './backups.ts';
import { lossesIn } from './set-aside.ts';

/** The newest ones, and the newest about user.db: a failing disk may damage a file every day. */
const MOST_SHOWN = 20;

/**
 * The warnings about a data folder that are not dealt with, oldest first. One about user.db names the newest sound backup
 * from before the damage. Reads only.
 */
export function standingWarnings(folder: string): StorageWarning[] {
  const open = lossesIn(folder).filter(({ dismissed }) => !dismissed);
  const shown = new Set(open.slice(-MOST_SHOWN));
  const ofUser = open.findLast(({ warning }) => warning.file === 'user.db');
  if (ofUser) shown.add(ofUser);
  return open
    .filter((loss) => shown.has(loss))
    .map(({ warning, at }) => {
      const backup = warning.file === 'user.db' ? newestSoundBackup(folder, at) : undefined;
      return backup === undefined ? warning : { ...warning, backup };
    });
}
