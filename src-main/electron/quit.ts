import { writeFileSync } from 'node:fs';
import { app } from 'electron';
import type { Log } from '../contract/ports.ts';

/** Longer than an engine's own limit, after which it is terminated. */
const TIMEOUT_MS = 1_800;

/** Kills this process. The file named by `npm start` in `BROADSHEET_QUIT_FILE` tells that from a crash. */
export function killOnPurpose(
  environment: Readonly<Record<string, string | undefined>>,
  self: Pick<NodeJS.Process, 'pid' | 'kill'>,
): void {
  const { BROADSHEET_QUIT_FILE } = environment;
  try {
    if (BROADSHEET_QUIT_FILE) writeFileSync(BROADSHEET_QUIT_FILE, '', { flag: 'wx', mode: 0o600 });
  } catch {
    // Then `npm start` reports a crash.
  }
  self.kill(self.pid, 'SIGKILL');
}

export function watchLeaving(): () => boolean {
  let isLeaving = false;
  app.on('before-quit', () => (isLeaving = true));
  return () => isLeaving;
}

/** Waits at most two seconds: the store survives an abrupt end. `exit` would wait for the engine's native code. */
export function closeBeforeQuit(log: Log, close: () => Promise<unknown>, kill: () => void): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    setTimeout(() => {
      log('warn', 'Broadsheet quit before everything was closed');
      kill();
    }, TIMEOUT_MS).unref();
    // `quit` would emit `will-quit` again.
    void close().then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
}
