import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { keptOutside } from './scripts/packaging/packages.mjs';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The command line and its threads, as JavaScript in out/node (docs/decisions/002). */
export default defineConfig({
  publicDir: false,
  // Native modules cannot be bundled, and the updater is Electron's.
  ssr: { noExternal: true, external: keptOutside },
  build: {
    ssr: true,
    outDir: here('out/node'),
    emptyOutDir: true,
    target: 'node24',
    // Traces name our functions.
    minify: false,
    rolldownOptions: {
      input: {
        cli: here('src-main/node/cli.ts'),
        // An entry of its own, because threads are started by file name.
        'engine-worker': here('src-main/core/engine/engine-worker.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
