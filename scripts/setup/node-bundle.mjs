// Bundles the command line and the server into a few JavaScript files: they start three times as fast as several
// hundred modules whose types Node has to strip, and so does each of their threads (decision 002).
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSetUpByParent } from './dependencies.mjs';
import { Failure } from './failure.mjs';
import { fingerprint } from './inputs.mjs';
import { ensureMessages } from './messages.mjs';
import { onceAtATime } from './once-at-a-time.mjs';
import { step } from './progress.mjs';
import { inProject } from './project.mjs';
import { runProjectNode } from './project-node.mjs';

const folder = inProject('out', 'node');
const stampFile = join(folder, '.stamp');
const sources = [
  'src-main',
  'scripts/packaging',
  'scripts/setup/open-privately.mjs',
  'node.vite.config.ts',
  'package-lock.json',
];
const buildLimitMs = 5 * 60_000;

/** The program of `broadsheet`. */
export const nodeCli = join(folder, 'cli.js');

const mark = () => fingerprint(inProject(), sources);

function isBundled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === mark();
}

async function bundle() {
  const before = mark();
  rmSync(stampFile, { force: true });
  // In its own process: Vite sets NODE_ENV, which npm and tests would inherit.
  const tool = inProject('node_modules', 'vite', 'bin', 'vite.js');
  const args = [tool, 'build', '--config', inProject('node.vite.config.ts'), '--logLevel', 'warn'];
  const ended = await runProjectNode(args, { limitMs: buildLimitMs, output: 'keep' });
  if (ended.timedOut) throw new Failure('Building the command line timed out.', { details: ended.output });
  if (ended.code !== 0) throw new Failure('The command line could not be built.', { details: ended.output });
  writeFileSync(stampFile, before);
}

/** Bundles the command line into out/node/ if its sources have changed. */
export async function ensureNodeBundle() {
  await ensureMessages();
  if (isSetUpByParent() || isBundled()) return;
  await onceAtATime(async () => {
    if (!isBundled()) await step('Building the command line', bundle);
  });
}

export async function bundleNodeAnew() {
  await ensureMessages();
  await onceAtATime(() => step('Building the command line', bundle));
}
