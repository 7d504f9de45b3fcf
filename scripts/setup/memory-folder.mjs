import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

const place = '/dev/shm';
/** In bytes. The tests need less than a tenth of it; a container may have 64 MB. */
const least = 2 * 1024 ** 3;

/**
 * The system's properties; tests pass their own.
 * @typedef {object} System
 * @property {NodeJS.Platform} platform
 * @property {() => string} mounts the lines of /proc/mounts
 * @property {(path: string) => number} free in bytes
 * @property {(path: string) => void} mayWrite throws if not
 */

/** @type {System} */
const thisSystem = {
  platform: process.platform,
  mounts: () => readFileSync('/proc/mounts', 'utf8'),
  free: (path) => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
  mayWrite: (path) => accessSync(path, constants.W_OK),
};

/**
 * Returns a folder in memory for the many small databases of the tests: on a disk, each commit waits for it. Null if
 * there is none (only Linux has one), if it is small, or if no program may be started in it.
 * @param {System} [system]
 * @returns {string | null}
 */
export function memoryFolder(system = thisSystem) {
  if (system.platform !== 'linux') return null;
  try {
    const mount = system
      .mounts()
      .split('\n')
      .findLast((line) => line.split(' ')[1] === place);
    const [, , kind, options = ''] = mount?.split(' ') ?? [];
    if (kind !== 'tmpfs' || options.split(',').some((option) => option === 'noexec' || option === 'ro')) return null;
    system.mayWrite(place);
    return system.free(place) >= least ? place : null;
  } catch {
    return null;
  }
}
