import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { engineSettings } from '../../../src-main/sync/engine/types.ts';

/** The setup of an engine in memory, for a service that doesn't answer. */
export const THREAD_SETUP = {
  dataFolder: ':memory:',
  source: { address: 'http://127.0.0.1:9', demo: false, from: 'option' },
  gateway: null,
  version: '1.2.3',
  settings: engineSettings(DEFAULT_SETTINGS),
} as const;

/** A thread's module with this code. */
export function moduleOf(code: string): URL {
  const imported = "import { parentPort, workerData } from 'node:worker_threads';";
  return new URL(`data:text/javascript,${encodeURIComponent(imported + code)}`);
}
