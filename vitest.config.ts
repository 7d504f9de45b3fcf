import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { findBrowser } from './scripts/setup/browser.mjs';

const e2e = 'test/e2e/**/*.test.ts';
const renderer = 'test/renderer/**/*.test.ts';
/** One process for file after file. A file that mocks modules, or loads them in a changed environment, resets them. */
const shared = { pool: 'forks', isolate: false } as const;
/** For what hangs, not for what is slow: a busy machine takes its time, and no test asserts one. */
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

// Most of a child process's start is the compiling of its TypeScript. Node keeps the result, for vitest's workers too.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node-compile/', import.meta.url));

export default defineConfig({
  test: {
    // By default one core is left to somebody else.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: [e2e, renderer],
          environment: 'node',
          ...shared,
          ...limits,
        },
      },
      {
        plugins: [svelte({ configFile: fileURLToPath(new URL('svelte.config.js', import.meta.url)) })],
        // Without it Svelte resolves to its server build, which cannot mount a component.
        resolve: { conditions: ['browser'] },
        test: { name: 'renderer', include: [renderer], environment: 'jsdom', ...limits },
      },
      {
        test: {
          name: 'e2e',
          include: [e2e],
          environment: 'node',
          ...shared,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Empty where there is no browser: the suites then report themselves as skipped.
          env: { CHROMIUM_PATH: findBrowser() ?? '' },
        },
      },
    ],
  },
});
