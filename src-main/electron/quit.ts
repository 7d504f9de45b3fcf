import type { App } from 'electron';

const PATIENCE_MS = 1000;

/**
 * Closes what is open before the process ends, but never keeps the user waiting for more than a second: the store
 * survives being cut off, so a server that does not answer is no reason to stay.
 */
export function closeBeforeQuit(app: Pick<App, 'on' | 'exit'>, close: () => Promise<void>): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    // Unlike quit, exit asks nobody again.
    void Promise.race([close(), patience]).then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
}
