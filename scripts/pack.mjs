import './setup/node-gate.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies, runNpm } from './setup/dependencies.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { readOptions } from './setup/options.mjs';
import { inProject } from './setup/project.mjs';

const limitMs = 2 * 60_000;

readOptions({
  name: 'pack',
  about: 'Builds the command line and the page, and packs them as broadsheet-VERSION.tgz in the current folder.',
});

await runCommand(async () => {
  await ensureDependencies();
  await ensureBuild();
  const ended = await runNpm(['pack', '--json', '--loglevel=error'], limitMs);
  if (ended.code !== 0) throw new Failure('npm could not pack.', { details: ended.output });
  const [{ filename }] = JSON.parse(ended.output.slice(ended.output.indexOf('[')));
  console.log(inProject(filename));
  return 0;
});
