import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Built by scripts/setup/build.mjs, and by vitest before a run: in another process or thread, the sources take
// three times as long to start.

// Not `new URL(..., import.meta.url)`: in tests of the page, Vite turns that into an address of its server.
const built = resolve(dirname(fileURLToPath(import.meta.url)), '../../out/node');

/** The command line. */
export const CLI = resolve(built, 'cli.js');
/** The module of the engine's thread, and of those beside it. */
export const ENGINE_MODULE = pathToFileURL(resolve(built, 'engine-worker.js'));
