import { once } from 'node:events';
import { expect, it } from 'vitest';
import { StoreThread } from '../../../src-main/core/engine/store-thread.ts';
import { ENGINE_MODULE } from '../../support/built-node.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openTestStore } from '../../support/store.ts';
import { moduleOf } from './thread-setup.ts';

/** Loads when it is told to, and answers everything else. */
const LOADS_LATER = moduleOf(`
  parentPort.on('message', (message) => {
    if (message !== 'load') return parentPort.postMessage(message);
    Atomics.store(workerData.loaded, 0, 1);
    Atomics.notify(workerData.loaded, 0);
  });
`);

it('a thread is not terminated before it has loaded SQLite', async () => {
  const thread = new StoreThread(LOADS_LATER, {});
  const ended = thread.terminate();
  thread.postMessage('still there');
  expect(await once(thread, 'message')).toEqual(['still there']);
  thread.postMessage('load');
  expect(await ended).toBe(1);
});

it('a thread that ends by itself can be terminated at once', async () => {
  const thread = new StoreThread(moduleOf('process.exit(3)'), {});
  const ended = thread.terminate();
  expect(await once(thread, 'exit')).toEqual([3]);
  expect(await ended).toBeUndefined();
});

it('the module of the threads says when it has loaded SQLite', async () => {
  const module = moduleOf(
    `await import(${JSON.stringify(ENGINE_MODULE)}); parentPort.postMessage(workerData.loaded[0]);`,
  );
  const folder = temporaryFolder();
  openTestStore({ folder });
  const thread = new StoreThread(module, { role: 'reads', folder });
  const [first, second] = [await once(thread, 'message'), await once(thread, 'message')];
  expect([first, second]).toEqual([[{ kind: 'ready' }], [1]]);
  await thread.terminate();
});
