import type { App } from 'electron';
import type { Log } from '../contract/ports.ts';

const PATIENCE_MS = 1000;

/** Tells, when asked, whether the app is on its way out: from then on no window may stay. */
export function watchLeaving(app: Pick<App, 'on'>): () => boolean {
  let isLeaving = false;
  app.on('before-quit', () => (isLeaving = true));
  return () => isLeaving;
}

/**
 * Closes what is open before the process ends, but never keeps the user waiting for more than a second: the store
 * survives being cut off, so a server that does not answer is no reason to stay.
 */
export function closeBeforeQuit(app: Pick<App, 'on' | 'exit'>, log: Log, close: () => Promise<void>): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    const patience = new Promise<void>((resolve) =>
      setTimeout(() => {
        log('warn', 'Broadsheet ended before everything was closed');
        resolve();
      }, PATIENCE_MS),
    );
    // Unlike quit, exit asks nobody again.
    void Promise.race([close(), patience]).then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
}
