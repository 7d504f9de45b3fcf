/**
 * The normal engine thread, except that a database check never ends: in JavaScript, or in one SQL statement if the
 * version is `native`. Prints `busy` when it begins.
 */
import Database from 'better-sqlite3';
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ToThread } from '../../src-main/core/threads.ts';
import type { EngineSetup } from '../../src-main/sync/engine/types.ts';
import { ENGINE_MODULE } from './built-node.ts';

const { version } = workerData as EngineSetup;

parentPort?.on('message', (message: ToThread) => {
  if (typeof message === 'string' || 'cancel' in message || message.name !== 'health.check') return;
  // Only in its own process is stdout read.
  if (version !== '1.2.3') writeSync(1, 'busy\n');
  if (version === 'native') {
    const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    new Database(':memory:').prepare(endless).get();
  }
  for (;;);
});
await import(ENGINE_MODULE.href);
