// Imported first by the commands of `npm run`.
import './node-gate.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { runCommand } from './failure.mjs';

export { readOptions } from './options.mjs';

/**
 * Installs what is missing and does the work of a command, which ends with the exit code that it returns, or 0.
 * @param {() => Promise<number | void>} work
 */
export async function run(work) {
  await runCommand(async () => {
    await ensureDependencies();
    return (await work()) ?? 0;
  });
}
