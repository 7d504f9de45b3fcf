import { ensureNodeBundle } from '../../scripts/setup/build.mjs';

/** Tests start the built command line and threads (built-node.ts): without this, vitest alone would test an old build. */
export async function setup(): Promise<void> {
  await ensureNodeBundle();
}
