import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptOutside, nameOf, neededBy } from './packages.mjs';

const heading =
  'Broadsheet is built with these packages. The licences of Electron and Chromium are in separate files next to the program.\n';

/**
 * Returns the sorted paths of all packages in an installer, bundled or not.
 * @param {import('./packages.mjs').Lock} lock
 * @param {string} root the folder of package.json; its out/ is built
 */
export function packagesInside(lock, root) {
  return [...new Set([...neededBy(lock, keptOutside), ...bundled(root), ...withFonts(root)])].sort();
}

/**
 * Adds the packages whose files the page's style sheets name, such as fonts: source maps do not list them.
 * @param {string} root
 * @returns {string[]}
 */
function withFonts(root) {
  const sheets = filesIn(join(root, 'src-renderer', 'styles'), '.css');
  const files = sheets.flatMap((css) =>
    [...css.matchAll(/url\(['"]?(@?[\w-]+\/[^'")]+)/g)].map(([, file = '']) => file),
  );
  return files.map((file) => packagePath(`node_modules/${file}`));
}

/**
 * Lists the packages in a bundle, according to its source maps.
 * @param {string} root
 * @returns {string[]}
 */
function bundled(root) {
  const sources = filesIn(join(root, 'out'), '.map').flatMap((map) => JSON.parse(map).sources);
  return sources.filter((source) => source?.includes('node_modules/')).map(packagePath);
}

/** @param {string} folder @param {string} end */
function filesIn(folder, end) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
  return names.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/**
 * Returns the folder of the package that a file came with. Packages inside the build of another one belong to that.
 * @param {string} source from a source map
 */
export function packagePath(source) {
  const name = '(?:@[^/]+/)?[^/]+';
  return new RegExp(`node_modules/${name}(?:/node_modules/${name})*`).exec(source)?.[0] ?? source;
}

/**
 * Formats the name, version, licence type and licence text of each package as one text.
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
  // Some packages contain no licence text.
  return file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim() : 'No licence text included.';
}
