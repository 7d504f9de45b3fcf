import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { inProject } from './project.mjs';
import { projectNode } from './project-node.mjs';
import { say, step } from './progress.mjs';

const lockFile = inProject('.setup.lock');
const retryMs = 250;
const writeTimeMs = 5_000;

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

/** Returns true if the process that took the lock has ended. A file without a number is still being written. */
async function isAbandoned() {
  try {
    const pid = Number.parseInt(await readFile(lockFile, 'utf8'), 10);
    if (Number.isInteger(pid)) return !isAlive(pid);
    return Date.now() - (await stat(lockFile)).mtimeMs > writeTimeMs;
  } catch {
    return false;
  }
}

/**
 * Lets one command at a time change node_modules/ and out/. If two start together (a `serve` and a `sync`), the second one
 * waits and then has nothing to do.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function onceAtATime(work) {
  let waited = false;
  while (!(await takeLock())) {
    if (await isAbandoned()) await rm(lockFile, { force: true });
    else if (!waited) {
      waited = true;
      say('Waiting for the setup of another Broadsheet command ...');
    }
    await pause(retryMs);
  }
  try {
    return await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}

/**
 * Something in node_modules/, out/ or src-main/ that commands make where it is missing or older than its sources.
 * @typedef {object} Output
 * @property {string} title of the step that makes it
 * @property {() => boolean} isCurrent
 * @property {() => Promise<void>} make
 */

/**
 * Returns an output that is current while a file has the mark of its sources.
 * @param {{ title: string, stampFile: string, mark: () => string, make: () => Promise<void> }} output
 * @returns {Output}
 */
export function stamped({ title, stampFile, mark, make }) {
  return {
    title,
    isCurrent: () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === mark(),
    make: async () => {
      // Before it is made: files saved meanwhile are newer.
      const before = mark();
      rmSync(stampFile, { force: true });
      await make();
      writeFileSync(stampFile, before);
    },
  };
}

/** Makes an output if necessary. Fast if it is current, or if a parent command has seen to it. @param {Output} output */
export async function ensure({ title, isCurrent, make }) {
  const isSetUpByParent = process.env['BROADSHEET_SET_UP'] === '1' && existsSync(projectNode);
  if (isSetUpByParent || isCurrent()) return;
  await onceAtATime(async () => {
    if (!isCurrent()) await step(title, make);
  });
}

/** @param {Output} output */
export function makeAnew({ title, make }) {
  return onceAtATime(() => step(title, make));
}
