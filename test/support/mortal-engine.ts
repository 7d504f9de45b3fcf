/** The normal engine thread, except that it crashes in one method. */
import { parentPort } from 'node:worker_threads';
import { ENGINE_MODULE } from './built-node.ts';
import type { EngineRequest } from '../../src-main/core/engine/engine-thread.ts';

parentPort?.on('message', ({ method }: EngineRequest) => {
  if (method === 'health.check') throw new Error('Died of a test, with Bearer abcdef-123456.');
});
await import(ENGINE_MODULE.href);
