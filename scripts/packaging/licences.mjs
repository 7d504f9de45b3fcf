import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptOutside, nameOf, neededBy } from './packages.mjs';

const heading =
  'Broadsheet is built with these packages. Electron and Chromium come with licence texts of their own, beside the program.\n';

/**
 * The paths of all packages whose code an installer carries, bundled or as they are; sorted.
 * @param {import('./packages.mjs').Lock} lock
 * @param {string} root the folder of package.json; its out/ is built
 */
export function packagesInside(lock, root) {
  return [...new Set([...neededBy(lock, keptOutside), ...bundled(root)])].sort();
}

/**
 * The packages that a bundle was made of, as its source maps say.
 * @param {string} root
 * @returns {string[]}
 */
function bundled(root) {
  const maps = globSync('out/**/*.map', { cwd: root });
  const sources = maps.flatMap((map) => JSON.parse(readFileSync(join(root, map), 'utf8')).sources);
  return sources.filter((source) => source?.includes('node_modules/')).map(packagePath);
}

/** @param {string} source as a source map names it */
function packagePath(source) {
  const name = nameOf(source);
  const end = source.lastIndexOf(`node_modules/${name}`) + `node_modules/${name}`.length;
  return source.slice(source.indexOf('node_modules/'), end);
}

/**
 * One text with the licence of each package under its name, version and the kind of licence.
 * @param {readonly string[]} paths
 * @param {string} root
 */
export function licenceTexts(paths, root) {
  const parts = paths.map((path) => {
    const { version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return `${'='.repeat(80)}\n${nameOf(path)} ${version} (${license})\n\n${licenceIn(join(root, path))}\n`;
  });
  return [heading, ...new Set(parts)].join('\n');
}

/** @param {string} folder */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  // Some packages have none beside the name of the licence.
  return file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim() : 'No text comes with it.';
}
