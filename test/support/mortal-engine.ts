/** The normal engine thread, except that it crashes in one method. */
import { parentPort } from 'node:worker_threads';
import type { EngineRequest } from '../../src-main/core/engine/engine-thread.ts';

parentPort?.on('message', ({ method }: EngineRequest) => {
  if (method === 'health.check') throw new Error('Died of a test, with Bearer abcdef-123456.');
});
await import('../../src-main/core/engine/engine-worker.ts');
