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
      // electron-vite leaves every dependency outside of the bundle but these.
      externalizeDeps: { exclude: bundled },
      minify: true,
      sourcemap: true,
      rolldownOptions: {
        // The engine is an entry of its own: it is started as a worker thread, by its file name.
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
      // A sandboxed preload may require "electron" and nothing else: everything is bundled in, as CommonJS.
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
    // A message for itself, so that a part of the page that is loaded later brings its own (scripts/setup/messages.mjs).
    resolve: {
      alias: [{ find: './compiled/messages.js', replacement: here('src-main/common/i18n/compiled/each.js') }],
    },
    // The renderer's root is not the project's, so the plugin has to be told where its configuration is.
    plugins: [svelte({ configFile: here('svelte.config.js') })],
    build: {
      outDir: here('out/renderer'),
      minify: true,
      sourcemap: true,
      // The content security policy knows no data: addresses for scripts, styles and fonts.
      assetsInlineLimit: 0,
      rolldownOptions: { input: here('src-renderer/index.html') },
    },
  },
});
