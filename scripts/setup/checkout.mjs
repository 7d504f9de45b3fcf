// Prepares a checkout before a command runs. A package that npm installed needs none of this, and has none of these
// scripts.
import { ensureBuild, ensureNodeBundle } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';

/**
 * Installs and builds what is missing.
 * @param {readonly string[]} args of the command
 */
export async function prepareCheckout(args) {
  await ensureDependencies();
  await ensureNodeBundle();
  // Only these need the page.
  if (args.includes('serve') || args.includes('open')) await ensureBuild();
}
