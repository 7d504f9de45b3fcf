import { readOptions, run } from './setup/command.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { licenceTexts, packagesInside } from './packaging/licences.mjs';
import { ensureBuild } from './setup/build.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';

readOptions({ name: 'licences', about: 'Writes resources/licences.txt for all packages in an installer.' });

await run(async () => {
  await ensureBuild();
  const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'));
  const paths = packagesInside(lock, inProject());
  writeFileSync(inProject('resources', 'licences.txt'), licenceTexts(paths, inProject()));
  say(`resources/licences.txt: licences of ${paths.length} packages.`);
});
