import { Failure } from './failure.mjs';
import { fingerprint } from './inputs.mjs';
import { ensureMessages } from './messages.mjs';
import { ensure, makeAnew, stamped } from './outputs.mjs';
import { inProject } from './project.mjs';
import { runProjectNode } from './project-node.mjs';

const limitMs = 10 * 60_000;

/** The program of `broadsheet`. */
export const nodeCli = inProject('out', 'node', 'cli.js');

/**
 * The command line and the server, in a few files: they start three times as fast as several hundred modules whose types
 * Node has to strip, and so does each of their threads (decision 002).
 */
const nodeBundle = built({
  title: 'Building the command line',
  folder: inProject('out', 'node'),
  sources: [
    'src-main',
    'scripts/packaging',
    'scripts/setup/open-privately.mjs',
    'node.vite.config.ts',
    'package-lock.json',
  ],
  tool: ['vite/bin/vite.js', 'build', '--config', inProject('node.vite.config.ts')],
});

const app = built({
  title: 'Building the app',
  folder: inProject('out'),
  sources: [
    'src-main',
    'src-renderer',
    'resources',
    'scripts/packaging',
    'electron.vite.config.ts',
    'svelte.config.js',
    'tsconfig.json',
    'package-lock.json',
  ],
  tool: ['electron-vite/bin/electron-vite.js', 'build'],
});

/** @param {{ title: string, folder: string, sources: readonly string[], tool: [string, ...string[]] }} options */
function built({ title, folder, sources, tool: [file, ...args] }) {
  const command = [inProject('node_modules', file), ...args, '--logLevel', 'warn'];
  return stamped({
    title,
    stampFile: `${folder}/.stamp`,
    mark: () => fingerprint(inProject(), sources),
    make: async () => {
      // In its own process: Vite sets NODE_ENV, which npm and tests would inherit.
      const ended = await runProjectNode(command, { limitMs, output: 'keep' });
      if (ended.timedOut) throw new Failure(`${title} timed out.`, { details: ended.output });
      if (ended.code !== 0) throw new Failure(`${title} failed.`, { details: ended.output });
    },
  });
}

export const isBuilt = app.isCurrent;

/** Builds out/node/ if it is out of date. */
export async function ensureNodeBundle() {
  await ensureMessages();
  await ensure(nodeBundle);
}

/** Builds out/ if it is out of date. */
export async function ensureBuild() {
  await ensureNodeBundle();
  await ensure(app);
}

export async function buildAnew() {
  await ensureMessages();
  await makeAnew(nodeBundle);
  await makeAnew(app);
}
