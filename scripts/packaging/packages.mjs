/**
 * What an installer carries as packages, with its own packages: a native module cannot be bundled, and the updater finds
 * Electron by `require`. All other packages are bundled into out/: one file is read faster than hundreds, and only what is
 * used of them is carried.
 */
export const keptOutside = ['better-sqlite3', 'electron-updater'];

/** Needed to compile better-sqlite3, which comes compiled. */
const onlyForCompiling = ['node-addon-api'];

/**
 * @typedef {object} LockedPackage
 * @property {boolean} [dev]
 * @property {string} [version]
 * @property {Record<string, string>} [dependencies]
 */
/** @typedef {{ packages: Record<string, LockedPackage> }} Lock */

/**
 * The paths of all packages that some need, themselves included; sorted. npm's own rule finds the right one of several
 * versions: the nearest folder upwards.
 * @param {Lock} lock package-lock.json
 * @param {readonly string[]} names
 */
export function neededBy(lock, names) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = names.map((name) => `node_modules/${name}`);
  for (const path of waiting) {
    const locked = lock.packages[path];
    if (!locked) throw new Error(`package-lock.json knows no ${path}`);
    if (found.has(path) || onlyForCompiling.includes(nameOf(path))) continue;
    found.add(path);
    for (const name of Object.keys(locked.dependencies ?? {})) waiting.push(nearest(lock, path, name));
  }
  return [...found].sort();
}

/**
 * The paths of the packages that are for running and that no installer carries as they are; sorted.
 * @param {Lock} lock
 */
export function leftOut(lock) {
  const carried = neededBy(lock, keptOutside);
  const forRunning = Object.keys(lock.packages).filter((path) => path !== '' && !lock.packages[path]?.dev);
  return forRunning.filter((path) => !carried.includes(path)).sort();
}

/**
 * The name of the package at a path, or of the one that a file lies in.
 * @param {string} path with slashes
 */
export function nameOf(path) {
  const [first = '', second = ''] = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length).split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/**
 * @param {Lock} lock
 * @param {string} from the path of the package that names the other
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
