import { fileURLToPath } from 'node:url';

// What scripts/setup/node-bundle.mjs builds, and vitest before a run: in a process or thread of its own, the sources take
// three times as long to start.

/** The command line. */
export const CLI = fileURLToPath(new URL('../../out/node/cli.js', import.meta.url));
/** The module of the engine's thread, and of those beside it. */
export const ENGINE_MODULE = new URL('../../out/node/engine-worker.js', import.meta.url);
