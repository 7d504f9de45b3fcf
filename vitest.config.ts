import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { findBrowser } from './scripts/setup/browser.mjs';

const e2e = 'test/e2e/**/*.test.ts';
const renderer = 'test/renderer/**/*.test.ts';
/** For what hangs, not for what is slow: a busy machine takes its time, and no test asserts one. */
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: [e2e, renderer],
          environment: 'node',
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
          // One browser at a time: two of them on a small machine only slow each other down.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Empty where there is no browser: the suites then report themselves as skipped.
          env: { CHROMIUM_PATH: findBrowser() ?? '' },
        },
      },
    ],
  },
});
