// `npm run build`: builds out/, even if it is up to date.
import './setup/node-gate.mjs';
import { buildAnew } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';

await runCommand(async () => {
  await ensureDependencies();
  await buildAnew();
  return 0;
});
