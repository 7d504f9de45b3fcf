// The command line and the server as a few JavaScript files: they start three times as fast as several hundred modules
// whose types Node has to strip, and so does each of their threads (decision 135).
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptOutside } from '../packaging/packages.mjs';
import { isSetUpByParent } from './dependencies.mjs';
import { Failure } from './failure.mjs';
import { fingerprint } from './inputs.mjs';
import { onceAtATime } from './once-at-a-time.mjs';
import { step } from './progress.mjs';
import { inProject } from './project.mjs';

const folder = inProject('out', 'node');
const stampFile = join(folder, '.stamp');
const sources = ['src-main', 'scripts/packaging', 'scripts/setup/node-bundle.mjs', 'package-lock.json'];

/** What to run for `broadsheet`. */
export const nodeCli = join(folder, 'cli.js');

const mark = () => fingerprint(inProject(), sources);

function isBundled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === mark();
}

async function bundle() {
  const before = mark();
  rmSync(stampFile, { force: true });
  // Loaded late: most starts need no bundler.
  const { build } = await import('vite');
  try {
    await build({
      configFile: false,
      root: inProject(),
      publicDir: false,
      logLevel: 'error',
      // Native modules cannot be bundled, and the updater is Electron's.
      ssr: { noExternal: true, external: keptOutside },
      build: {
        ssr: true,
        outDir: folder,
        emptyOutDir: true,
        target: 'node24',
        minify: false,
        rolldownOptions: {
          input: {
            cli: inProject('src-main', 'node', 'cli.ts'),
            // An entry of its own, because threads are started by file name.
            'engine-worker': inProject('src-main', 'core', 'engine', 'engine-worker.ts'),
          },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    });
  } catch (error) {
    throw new Failure('The command line could not be built.', { details: String(error) });
  }
  writeFileSync(stampFile, before);
}

/** Bundles the command line into out/node/ if its sources have changed. */
export async function ensureNodeBundle() {
  if (isSetUpByParent() || isBundled()) return;
  await onceAtATime(async () => {
    if (!isBundled()) await step('Building the command line', bundle);
  });
}

/** Bundles the command line in any case. */
export async function bundleNodeAnew() {
  await onceAtATime(() => step('Building the command line', bundle));
}
