import { describe, expect, it } from 'vitest';
import { startEngineThread } from '../../../src-main/core/engine/engine-thread.ts';
import { temporaryFolder } from '../../support/folders.ts';
import type { LogLine } from '../../support/test-app.ts';
import { THREAD_SETUP as SETUP } from './thread-setup.ts';
import { ENGINE_MODULE } from '../../support/built-node.ts';

/** A thread's module that reports that it is open, and runs the given code on its first call. */
function moduleThat(doing: string): URL {
  const code = `import { parentPort } from 'node:worker_threads';
    parentPort.once('message', () => { ${doing} });
    parentPort.postMessage({ kind: 'opened' });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

function start(module: URL) {
  const log: LogLine[] = [];
  const ports = {
    log: (level: string, message: string, fields = {}) => void log.push({ level, message, fields }),
    emit: () => undefined,
  };
  return { log, started: startEngineThread(module, SETUP, ports) };
}

describe('an engine whose thread', { timeout: 60_000 }, () => {
  it.each([
    ['ends', 'process.exit(0)', 0],
    ['throws', "throw new Error('Set by a test.')", 1],
  ])('%s rejects all calls', async (_, doing, errors) => {
    const { log, started } = start(moduleThat(doing));
    const engine = await started;
    const under = [engine.call('sync.status', {}), engine.call('sync.run', { urgency: 'due' })];
    for (const call of under) await expect(call).rejects.toMatchObject({ code: 'closed' });
    await expect(engine.call('sync.status', {})).rejects.toMatchObject({ code: 'closed' });
    await engine.close();
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(errors);
  });

  it('never opens is reported at once', async () => {
    const { started } = start(new URL('data:text/javascript,process.exit(1)'));
    await expect(started).rejects.toMatchObject({ code: 'closed' });
  });

  it('finds its folder in use reports it', async () => {
    const module = ENGINE_MODULE;
    const setup = { ...SETUP, dataFolder: temporaryFolder() };
    const ports = { log: () => undefined, emit: () => undefined };
    const first = await startEngineThread(module, setup, ports);
    await expect(startEngineThread(module, setup, ports)).rejects.toMatchObject({ code: 'data_in_use' });
    await first.close();
    const second = await startEngineThread(module, setup, ports);
    await second.close();
  });
});
