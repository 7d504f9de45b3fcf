/** The normal engine thread, except that it crashes in one method. */
import { parentPort } from 'node:worker_threads';
import { ENGINE_MODULE } from './built-node.ts';
import type { ToThread } from '../../src-main/core/threads.ts';

parentPort?.on('message', (message: ToThread) => {
  if (typeof message === 'string' || 'cancel' in message || message.name !== 'health.check') return;
  throw new Error('Died of a test, with Bearer abcdef-123456.');
});
await import(ENGINE_MODULE.href);
