import { fileURLToPath } from 'node:url';

// Built by scripts/setup/node-bundle.mjs, and by vitest before a run: in another process or thread, the sources take
// three times as long to start.

/** The command line. */
export const CLI = fileURLToPath(new URL('../../out/node/cli.js', import.meta.url));
/** The module of the engine's thread, and of those beside it. */
export const ENGINE_MODULE = new URL('../../out/node/engine-worker.js', import.meta.url);
