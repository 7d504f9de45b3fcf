import { expect, it, vi } from 'vitest';
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
