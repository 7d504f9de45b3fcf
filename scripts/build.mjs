import './setup/node-gate.mjs';
import { buildAnew } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { readOptions } from './setup/options.mjs';

readOptions({ name: 'build', about: 'Builds out/, even if it is up to date.' });

await runCommand(async () => {
  await ensureDependencies();
  await buildAnew();
  return 0;
});
