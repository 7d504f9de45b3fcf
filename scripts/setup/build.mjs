import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isSetUpByParent } from './dependencies.mjs';
import { Failure } from './failure.mjs';
import { fingerprint } from './inputs.mjs';
import { bundleNodeAnew, ensureNodeBundle } from './node-bundle.mjs';
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

export function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint(inProject(), sources);
}

async function build() {
  // Before the build: files saved during it are newer than the build.
  const mark = fingerprint(inProject(), sources);
  rmSync(stampFile, { force: true });
  const tool = inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const ended = await runProjectNode([tool, 'build', '--logLevel', 'warn'], { limitMs: buildLimitMs, output: 'keep' });
  if (ended.timedOut) throw new Failure('The build timed out.', { details: ended.output });
  if (ended.code !== 0) throw new Failure('The build failed.', { details: ended.output });
  writeFileSync(stampFile, mark);
}

/** Builds out/ if it is out of date. */
export async function ensureBuild() {
  await ensureNodeBundle();
  if (isSetUpByParent() || isBuilt()) return;
  await onceAtATime(async () => {
    if (!isBuilt()) await step('Building the app', build);
  });
}

export async function buildAnew() {
  await bundleNodeAnew();
  await onceAtATime(() => step('Building the app', build));
}
