/**
 * The packages that an installer includes unbundled, with their dependencies: native modules cannot be bundled, and the
 * updater loads Electron with `require`. All others are bundled into out/, which loads faster and drops unused code.
 */
export const keptOutside = ['better-sqlite3', 'electron-updater'];

/** Only for compiling better-sqlite3, which comes prebuilt. */
const onlyForCompiling = ['node-addon-api'];

/**
 * @typedef {object} LockedPackage
 * @property {boolean} [dev]
 * @property {string} [version]
 * @property {Record<string, string>} [dependencies]
 */
/** @typedef {{ packages: Record<string, LockedPackage> }} Lock */

/**
 * Returns the sorted paths of some packages and all their dependencies. Of several versions, the one in the nearest
 * parent folder applies, as in npm.
 * @param {Lock} lock package-lock.json
 * @param {readonly string[]} names
 */
export function neededBy(lock, names) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = names.map((name) => `node_modules/${name}`);
  for (const path of waiting) {
    const locked = lock.packages[path];
    if (!locked) throw new Error(`${path} is missing in package-lock.json. Run npm install.`);
    if (found.has(path) || onlyForCompiling.includes(nameOf(path))) continue;
    found.add(path);
    for (const name of Object.keys(locked.dependencies ?? {})) waiting.push(nearest(lock, path, name));
  }
  return [...found].sort();
}

/** Returns the sorted paths of production packages that an installer does not include unbundled. @param {Lock} lock */
export function leftOut(lock) {
  const carried = neededBy(lock, keptOutside);
  const forRunning = Object.keys(lock.packages).filter((path) => path !== '' && !lock.packages[path]?.dev);
  // The packer may move a package that is inside another one to the same level.
  const anywhere = forRunning.flatMap((path) => [path, `node_modules/${nameOf(path)}`]);
  return [...new Set(anywhere)].filter((path) => !carried.includes(path)).sort();
}

/**
 * Returns the name of the package at a path, or of the package that contains a file.
 * @param {string} path with slashes
 */
export function nameOf(path) {
  const [first = '', second = ''] = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length).split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/**
 * @param {Lock} lock
 * @param {string} from the path of the depending package
 * @param {string} name
 */
function nearest(lock, from, name) {
  const folders = from.split('/node_modules/');
  for (let depth = folders.length; depth > 0; depth -= 1) {
    const path = `${folders.slice(0, depth).join('/node_modules/')}/node_modules/${name}`;
    if (lock.packages[path]) return path;
  }
  return `node_modules/${name}`;
}
