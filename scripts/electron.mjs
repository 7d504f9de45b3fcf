// `npm run electron`: installs what is missing, with Electron's own program, which npm does not install. Fails without
// it.
import './setup/node-gate.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { installElectron } from './setup/electron/binary.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';

await runCommand(async () => {
  await ensureDependencies();
  const electron = await installElectron();
  if ('reason' in electron) throw new Failure(electron.reason);
  say(`Electron is in ${electron.path}`);
  return 0;
});
