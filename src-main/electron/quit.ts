import type { App } from 'electron';
import type { Log } from '../contract/ports.ts';

const TIMEOUT_MS = 1000;

/** Returns whether the app is quitting, so that no window prevents it. */
export function watchLeaving(app: Pick<App, 'on'>): () => boolean {
  let isLeaving = false;
  app.on('before-quit', () => (isLeaving = true));
  return () => isLeaving;
}

/**
 * Closes everything before the process ends, but waits at most a second: the store survives an abrupt end, so a slow server
 * must not delay the exit.
 */
export function closeBeforeQuit(app: Pick<App, 'on' | 'exit'>, log: Log, close: () => Promise<void>): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    const timeout = new Promise<void>((resolve) =>
      setTimeout(() => {
        log('warn', 'Broadsheet quit before everything was closed');
        resolve();
      }, TIMEOUT_MS),
    );
    // `quit` would emit `will-quit` again.
    void Promise.race([close(), timeout]).then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
}
