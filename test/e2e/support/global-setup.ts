import { ensureBuild } from '../../../scripts/setup/build.mjs';

/** Builds the command line and the page if they are out of date. A run by `npm test` has done so already. */
export async function setup(): Promise<void> {
  await ensureBuild();
}
