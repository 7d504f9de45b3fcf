import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import packageJson from './package.json' with { type: 'json' };
import { keptOutside } from './scripts/packaging/packages.mjs';

const bundled = Object.keys(packageJson.dependencies).filter((name) => !keptOutside.includes(name));

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  main: {
    build: {
      // electron-vite excludes all other dependencies from the bundle.
      externalizeDeps: { exclude: bundled },
      minify: true,
      sourcemap: true,
      rolldownOptions: {
        // A separate entry, because the engine is started as a worker thread by file name.
        input: {
          main: here('src-main/electron/main.ts'),
          'engine-worker': here('src-main/core/engine/engine-worker.ts'),
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can only require "electron", so everything is bundled, as CommonJS.
      externalizeDeps: false,
      minify: true,
      rolldownOptions: {
        input: { preload: here('src-main/preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: here('src-renderer'),
    // Needed because the renderer's root is not the project root.
    plugins: [svelte({ configFile: here('svelte.config.js') })],
    build: {
      outDir: here('out/renderer'),
      minify: true,
      sourcemap: true,
      // The content security policy allows no data: URLs for scripts, styles and fonts.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: here('src-renderer/index.html'),
      },
    },
  },
});
