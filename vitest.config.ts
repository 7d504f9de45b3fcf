import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { findBrowser } from './scripts/setup/browser.mjs';
import { memoryFolder } from './scripts/setup/memory-folder.mjs';

const e2e = 'test/e2e/**/*.test.ts';
const renderer = 'test/renderer/**/*.test.ts';
const builtNode = 'test/support/global-setup.ts';
/** Files share a process. A file that mocks modules, or loads them with a changed environment, resets them. */
const shared = { pool: 'forks', isolate: false, expect: { poll: { timeout: 30_000 } } } as const;
const isWhole = process.env['BROADSHEET_PROOFS'] === '1';
/** In ms, for tests that hang. A busy computer may be slow, and no test measures time. */
const limit = isWhole ? 60 * 60_000 : 5 * 60_000;
const limits = { testTimeout: limit, hookTimeout: limit };

// Child processes spend most of their start compiling TypeScript. Node caches the result, for vitest's workers too.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node-compile/', import.meta.url));
// Where `tmpdir()` is. What the proofs do is done on a disk, as by a reader.
const inMemory = isWhole ? null : memoryFolder();
if (inMemory !== null) process.env['TMPDIR'] ??= inMemory;

export default defineConfig({
  test: {
    // Tests also wait: for processes, pages and time-outs.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        // Modules of the desktop host get the fake of Electron: its package only has the path of the program.
        resolve: { alias: { electron: fileURLToPath(new URL('test/electron/fake/electron.ts', import.meta.url)) } },
        test: {
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: [e2e, renderer],
          environment: 'node',
          globalSetup: builtNode,
          ...shared,
          ...limits,
        },
      },
      {
        plugins: [svelte({ configFile: fileURLToPath(new URL('svelte.config.js', import.meta.url)) })],
        // Otherwise Svelte resolves to its server build, which cannot mount components.
        resolve: { conditions: ['browser'] },
        test: {
          name: 'renderer',
          include: [renderer],
          environment: 'jsdom',
          globalSetup: 'test/renderer/support/scenes.ts',
          setupFiles: 'test/renderer/support/setup.ts',
          ...shared,
          ...limits,
        },
      },
      {
        test: {
          name: 'e2e',
          include: [e2e],
          environment: 'node',
          globalSetup: 'test/e2e/support/global-setup.ts',
          ...shared,
          ...limits,
          // Empty without a browser: the suites are then skipped.
          env: { CHROMIUM_PATH: (await findBrowser()) ?? '' },
        },
      },
    ],
  },
});
