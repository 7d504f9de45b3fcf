import { spawn } from 'node:child_process';
import type { Browser } from './shell.ts';

/** A browser that starts from nothing on a busy computer has read the file by then. */
const KEPT_MS = 60_000;
const REMOVE = `setTimeout(() => require('node:fs').rmSync(process.argv[1], { recursive: true, force: true }), ${KEPT_MS})`;

export const systemBrowser: Browser = {
  open: async (place) => {
    const { default: open } = await import('open');
    const opener = await open(place);
    opener.on('error', () => undefined);
  },
  removeLater: (folder) => {
    // The prompt comes back at once, so another process has to wait.
    const remover = spawn(process.execPath, ['-e', REMOVE, folder], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    remover.on('error', () => undefined);
    remover.unref();
  },
};
