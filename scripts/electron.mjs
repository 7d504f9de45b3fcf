import './setup/node-gate.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { installElectron } from './setup/electron/binary.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { readOptions } from './setup/options.mjs';
import { say } from './setup/progress.mjs';

readOptions({
  name: 'electron',
  about: "Installs what is missing, with Electron's own program, which npm does not install.",
});

await runCommand(async () => {
  await ensureDependencies();
  const electron = await installElectron();
  if ('reason' in electron) throw new Failure([electron.reason, ...(electron.advice ?? [])].join('. '));
  say(`Electron is in ${electron.path}`);
  return 0;
});
