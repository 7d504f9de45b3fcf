import { expect, it, vi } from 'vitest';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import { USER_DATA_FORMAT, USER_DATA_VERSION } from '../../../src-main/contract/user-data.ts';
import { openTestEngine } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';

const MINUTE = 60_000;

const DAY = 24 * 60 * MINUTE;

it('tries a backup once an hour while nothing changes, not with every sync', async () => {
  const { engine, clock, call } = openTestEngine({ address: 'http://127.0.0.1:9', folder: temporaryFolder() });
  const round = () => call('sync.run', { urgency: 'due', resources: ['models'] });
  await call('models.favourite', { id: 'a/b', favourite: true });
  await round();
  clock.leap(DAY);
  const looks = vi.spyOn(engine.store, 'backUpDaily');
  for (let minutes = 0; minutes < 120; minutes += 10) {
    await round();
    clock.leap(10 * MINUTE);
  }
  expect(looks.mock.results.map(({ value }) => value as unknown)).toEqual(['unchanged', 'unchanged']);
});

it('retries a failed backup later', async () => {
  const { engine, clock, call, log } = openTestEngine({ address: 'http://127.0.0.1:9', folder: temporaryFolder() });
  const looks = vi.spyOn(engine.store, 'backUpDaily').mockImplementationOnce(() => {
    throw new Error('Set by a test.');
  });
  await call('models.favourite', { id: 'a/b', favourite: true });
  await call('sync.run', { urgency: 'due', resources: ['models'] });
  expect(log.map(({ message }) => message)).toContain('Backing up user.db failed');
  clock.leap(60 * MINUTE);
  await call('sync.run', { urgency: 'due', resources: ['models'] });
  expect(looks.mock.results.at(-1)?.value).toBe('made');
});

it('imports all of a file or nothing', async () => {
  const { engine, events, call } = openTestEngine({ address: 'http://127.0.0.1:9', folder: temporaryFolder() });
  const rows = Array.from({ length: 2_500 }, (_, n) => ({
    ...{ kind: 'favourite', service: '', id: `lab/m${String(n)}` },
    value: 1 + n,
  }));
  const head = { format: USER_DATA_FORMAT, version: USER_DATA_VERSION };
  const text = JSON.stringify({ ...head, records: rows });
  const transaction = engine.store.transaction.bind(engine.store);
  // Rows until the disk is full.
  let left = 1_700;
  const spy = vi.spyOn(engine.store, 'transaction').mockImplementation((work) =>
    transaction((tx) => {
      const take: typeof tx.userData.take = (all) => {
        const part = all.slice(0, left);
        left -= part.length;
        const taken = tx.userData.take(part);
        if (left === 0) throw new BroadsheetError('disk_full', 'The disk is full.', { retryable: true });
        return taken;
      };
      return work({ ...tx, userData: { take } });
    }),
  );
  await expect(engine.call('data.import', { text })).rejects.toMatchObject({ code: 'disk_full' });
  spy.mockRestore();
  expect(events.filter(({ event }) => event === 'data.replaced')).toEqual([]);
  expect(await call('data.import', { text })).toMatchObject({ taken: 2_500, unchanged: 0, skipped: 0 });
});
