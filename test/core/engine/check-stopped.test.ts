import Database from 'better-sqlite3';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../support/proofs.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const WEEK = 7 * 24 * 3_600_000;

function property(app: TestApp, name: string): string | undefined {
  const mirror = new Database(join(app.folder, 'mirror.db'), { readonly: true });
  const value = mirror.prepare<[string], string>('SELECT value FROM property WHERE name = ?').pluck().get(name);
  mirror.close();
  return value;
}

const PLACES = [
  ['this thread', { folder: 'temporary' }],
  // It has a limited time to close. Only in the proofs, which run alone on the computer.
  ...(isWhole ? ([['a thread of its own', { thread: true }]] as const) : []),
] as const;

describe.each(PLACES)('with the engine in %s', (_, options) => {
  it('closing stops a check, cleanly, and the next due one goes on there', async () => {
    const app = await openTestApp({ ...options, content: { selected: 300, days: 5 } });
    await app.call('sync.run', { urgency: 'now' });
    const checking = app.reply('health.check', {});
    await new Promise(setImmediate);
    await app.core.close();
    expect(await checking).toMatchObject({ ok: false, error: { code: 'closed' } });
    // Closed properly: no log is left, and nothing was terminated.
    expect(readdirSync(app.folder).filter((name) => /-wal$|-damaged$|-check$/.test(name))).toEqual([]);
    expect(app.log.filter(({ message }) => message.includes('terminated'))).toEqual([]);
    expect(property(app, 'integrity')).toBeUndefined();
    expect(property(app, 'check_progress')).toMatch(/^\d+/);

    await app.reopen();
    app.clock.advance(WEEK + 1);
    await app.call('sync.run', { urgency: 'now' });
    const { integrity } = await app.call('health.check', {});
    expect(integrity).toMatchObject({ sound: true, messages: [] });
    expect(property(app, 'check_progress')).toBeUndefined();
  });
});
