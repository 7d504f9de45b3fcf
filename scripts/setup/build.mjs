import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isSetUpByParent } from './dependencies.mjs';
import { Failure } from './failure.mjs';
import { onceAtATime } from './once-at-a-time.mjs';
import { step } from './progress.mjs';
import { inProject } from './project.mjs';
import { runProjectNode } from './project-node.mjs';

const stampFile = inProject('out', '.stamp');
const buildLimitMs = 10 * 60_000;
const sources = [
  'src-main',
  'src-renderer',
  'resources',
  'scripts/packaging',
  'electron.vite.config.ts',
  'svelte.config.js',
  'tsconfig.json',
  'package-lock.json',
];

/**
 * @param {string} path
 * @returns {string[]} the files at and under a path
 */
function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

/**
 * A mark that changes when a file is added, removed, resized or touched. Names, sizes and times only: it is asked for at
 * every start.
 * @param {string} root
 * @param {readonly string[]} paths relative to the root
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesUnder(join(root, path))).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Whether out/ is of the sources as they are. */
export function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint(inProject(), sources);
}

async function build() {
  // Taken before: what is saved while the build runs is newer than the build.
  const mark = fingerprint(inProject(), sources);
  rmSync(stampFile, { force: true });
  const tool = inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const ended = await runProjectNode([tool, 'build', '--logLevel', 'warn'], { limitMs: buildLimitMs, output: 'keep' });
  if (ended.timedOut) throw new Failure('The build took too long and was stopped.', { details: ended.output });
  if (ended.code !== 0) throw new Failure('The build failed.', { details: ended.output });
  writeFileSync(stampFile, mark);
}

/** Builds out/ where the sources are newer than it. */
export async function ensureBuild() {
  if (isSetUpByParent() || isBuilt()) return;
  await onceAtATime(async () => {
    if (!isBuilt()) await step('Building the app', build);
  });
}

/** Builds out/, whatever is there. */
export async function buildAnew() {
  await onceAtATime(() => step('Building the app', build));
}
