import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesInside } from '../packaging/licences.mjs';
import { nameOf } from '../packaging/packages.mjs';
import { sbomOf } from '../packaging/sbom.mjs';
import { runNpm } from './dependencies.mjs';
import { Failure } from './failure.mjs';
import { inProject } from './project.mjs';

const listLimitMs = 2 * 60_000;
/** In bytes. npm's list of 600 packages takes 1 MB. */
const listLimit = 64 * 1024 * 1024;

/**
 * Writes the list of everything in an installer (SBOM, CycloneDX) into a folder. The app has to be built.
 * @param {string} folder
 * @returns {Promise<string>} the file
 */
export async function writeSbom(folder) {
  const ended = await runNpm(
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--loglevel=silent'],
    listLimitMs,
    listLimit,
  );
  if (ended.code !== 0) throw new Failure('npm could not list the packages.', { details: ended.output });
  const { name, version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'));
  const paths = [...packagesInside(lock, inProject()), 'node_modules/electron'];
  const contained = paths.map((path) => `${nameOf(path)}@${lock.packages[path].version}`);
  const sbom = sbomOf(JSON.parse(ended.output), contained, { name, version });
  const file = join(folder, `${name}-${version}.cdx.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return file;
}
