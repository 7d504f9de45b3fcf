import './setup/node-gate.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { licenceTexts, packagesInside } from './packaging/licences.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { readOptions } from './setup/options.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';

readOptions({ name: 'licences', about: 'Writes resources/licences.txt for all packages in an installer.' });

await runCommand(async () => {
  await ensureDependencies();
  await ensureBuild();
  const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'));
  const paths = packagesInside(lock, inProject());
  writeFileSync(inProject('resources', 'licences.txt'), licenceTexts(paths, inProject()));
  say(`resources/licences.txt: licences of ${paths.length} packages.`);
  return 0;
});
