import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { inProject } from './project.mjs';
import { say } from './progress.mjs';

const lockFile = inProject('.setup.lock');
const askAgainMs = 250;
const youngMs = 5_000;

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

async function takeLock() {
  try {
    const file = await open(lockFile, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Whether whoever held the lock is gone. A file without a number yet is one being written. */
async function isAbandoned() {
  try {
    const pid = Number.parseInt(await readFile(lockFile, 'utf8'), 10);
    if (Number.isInteger(pid)) return !isAlive(pid);
    return Date.now() - (await stat(lockFile)).mtimeMs > youngMs;
  } catch {
    return false;
  }
}

/**
 * Lets one command at a time change node_modules/ and out/. Two that start together (a `serve` and a `sync`) do not
 * build over each other; the second waits and finds the work done.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function onceAtATime(work) {
  let waited = false;
  while (!(await takeLock())) {
    if (await isAbandoned()) await rm(lockFile, { force: true });
    else if (!waited) {
      waited = true;
      say('Another Broadsheet command is setting up; waiting for it ...');
    }
    await pause(askAgainMs);
  }
  try {
    return await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}
