import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../support/test-app.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openTestStore } from '../../support/store.ts';
import { idsIn } from '../../support/user-data.ts';

const BUSY = new URL('../../support/busy-engine.ts', import.meta.url);
const CHILD = fileURLToPath(new URL('../../support/stop-child.ts', import.meta.url));

// The engines here are busy for ever: a test ends only because they are terminated.
describe('an engine that is busy for ever', () => {
  it('is terminated when the core closes, and the folder is free', async () => {
    const app = await openTestApp({ thread: BUSY });
    await app.call('items.mark', { ids: ['an item'], mark: 'star' });
    const checking = app.reply('health.check', {});
    await app.core.close();
    expect(await checking).toMatchObject({ ok: false, error: { code: 'closed' } });
    expect(app.log).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('terminated') as string }),
    );
    await app.reopen();
    const { text } = await app.call('data.export', {});
    expect(text).toContain('an item');
  });

  it.each(['js', 'native'])('does not keep its process alive after SIGTERM: %s', async (kind) => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, [CHILD, folder, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    // Native code can't be interrupted: the process ends itself without waiting for it.
    expect([code, signal]).toEqual(kind === 'js' ? [0, null] : [null, 'SIGKILL']);
    const store = openTestStore({ folder, source: 'http://127.0.0.1:9' });
    expect(store.storageWarnings).toEqual([]);
    expect(new Set(idsIn(store.queries.userData.records(), 'read', 'star'))).toEqual(new Set(['an item']));
  });
});
