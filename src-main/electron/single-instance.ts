import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';

/**
 * `first` holds the lock; `second` has asked the first to show its window. `unlocked`: the lock failed although no other
 * instance holds it. Electron answers false to both of the latter.
 */
export type Instance = 'first' | 'second' | 'unlocked';

/** Names the process that holds the lock. */
const MARK = 'instance.json';

/**
 * Requests Electron's single-instance lock, which only saves a second window: the data is guarded by the core's own lock.
 * So if it fails, the app starts without it.
 *
 * @param folder Electron's `userData`; null if there is none of our own, and then no lock either
 */
export function claimInstance(app: Pick<App, 'requestSingleInstanceLock'>, folder: string | null): Instance {
  if (folder === null) return 'unlocked';
  const file = join(folder, MARK);
  if (!app.requestSingleInstanceLock()) return isHeld(file) ? 'second' : 'unlocked';
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  } catch {
    // A second start then opens a window that says that the data is in use.
  }
  return 'first';
}

/** Whether the process named in the file is running on this computer. Network homes are shared by several. */
function isHeld(file: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: unknown; host?: unknown };
    if (host !== hostname() || typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return false;
    return pid !== process.pid && isRunning(pid);
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
