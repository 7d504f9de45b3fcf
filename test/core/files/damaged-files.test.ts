import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReadingCore } from '../../../src-main/core/core.ts';
import { saveApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { expectEqualSets } from '../../support/selected-set.ts';

const PAGE = 4_096;

/** The head of every page but the first is overwritten: the file opens, and whatever is read in it fails. */
function spoil(file: string): void {
  const bytes = readFileSync(file);
  for (let at = PAGE; at < bytes.length; at += PAGE) bytes.fill(0xff, at, at + 200);
  writeFileSync(file, bytes);
}

const savedApp = saveApp({}, (app) => app.call('sync.run', { urgency: 'now' }));

async function spoiledApp(name: string, options: TestAppOptions = {}): Promise<TestApp> {
  const app = await savedApp(options);
  await app.core.close();
  spoil(join(app.folder, name));
  return app;
}

describe.each(['mirror.db', 'search.db', 'user.db'])('a spoilt %s', (name) => {
  it.each([
    ['this thread', {}],
    ['a thread of its own', { thread: true }],
  ])('is rebuilt at the next start of an engine in %s', async (_, options) => {
    const app = await spoiledApp(name, options);
    await app.reopen();
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    await expectEqualSets(app, app.service.control);
    const { storageWarnings } = await app.call('sync.status', {});
    expect(storageWarnings.map(({ file }) => file)).toEqual([name]);
    for (const { setAsideAs } of storageWarnings) expect(readdirSync(app.folder)).toContain(setAsideAs);
  });

  it('is never reported as an unexpected error when only reading', async () => {
    const { ports } = await spoiledApp(name);
    const read = async () => {
      const core = await createReadingCore(ports);
      const query = { scope: 'all', window: 'any', state: 'any', text: 'model' } as const;
      const replies = [
        await core.wire.call('sync.status', {}),
        await core.wire.call('items.page', { query, limit: 5 }),
      ];
      await core.close();
      for (const reply of replies) if (!reply.ok) expect(reply.error.code).toBe('data_unreadable');
    };
    await read().catch((error: unknown) => expect(error).toMatchObject({ code: 'data_unreadable' }));
  });
});
