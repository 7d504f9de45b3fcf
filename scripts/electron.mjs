import { readOptions, run } from './setup/command.mjs';
import { installElectron } from './setup/electron/binary.mjs';
import { Failure } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';

readOptions({
  name: 'electron',
  about: "Installs what is missing, with Electron's own program, which npm does not install.",
});

await run(async () => {
  const electron = await installElectron();
  if ('reason' in electron) throw new Failure([electron.reason, ...(electron.advice ?? [])].join('. '));
  say(`Electron is in ${electron.path}`);
});
