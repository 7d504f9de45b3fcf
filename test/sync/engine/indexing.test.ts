import { describe, expect, it, vi } from 'vitest';
import { tooManyOpenFiles } from '../../../src-main/common/system-errors.ts';
import { DERIVED_NAMES } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { EVERYTHING } from '../../support/selected-set.ts';
import { openServedEngine, openTestEngine } from '../../support/test-engine.ts';

describe('an engine that closes before everything is searchable', () => {
  it('closes at once, and indexes the rest after the next start', async () => {
    const folder = temporaryFolder();
    const { service, clock, ...first } = await openServedEngine({ content: { selected: 4_000, days: 30 } }, { folder });
    const syncing = first.call('sync.run', { urgency: 'now', resources: ['selected'] });
    while (!first.queries.selectedSet.complete) await new Promise((resolve) => setImmediate(resolve));
    await first.engine.close();
    await syncing;
    expect(first.log.filter(({ message }) => /failed$/.test(message) && !message.startsWith('request'))).toEqual([]);

    const second = openTestEngine({ address: service.newsAddress, clock, folder });
    const indexer = second.engine.store.searchIndexer();
    expect(indexer.lag(500)).not.toBe('none');
    await second.call('sync.run', { urgency: 'due', resources: ['selected'] });
    expect(indexer.lag(1)).toBe('none');
    for (const { title } of [service.control.selectedItems()[0]!, service.control.selectedItems()[3_999]!]) {
      const { count } = second.queries.items.count({ ...EVERYTHING, text: `"${title}"` }, clock.now());
      expect(count).toBeGreaterThanOrEqual(1);
    }
  });
});

it('a sync after which an index is not up to date has failed, and the next one brings it up to date', async () => {
  const { engine, call } = await openServedEngine({ content: { selected: 60, days: 5 } });
  const { store } = engine;
  const derive = store.derive.bind(store);
  const short = vi.spyOn(store, 'derive').mockImplementation((name) => {
    if (name === 'rules') throw tooManyOpenFiles(new Error('EMFILE'));
    return derive(name);
  });
  expect(await call('sync.run', { urgency: 'now', resources: ['selected'] })).toMatchObject({
    ok: false,
    resources: { selected: { status: 'ok' } },
    indexing: { code: 'too_many_open_files' },
  });
  // The others are up to date.
  for (const name of DERIVED_NAMES) if (name !== 'rules') expect(derive(name), name).toBeNull();
  short.mockRestore();
  const next = await call('sync.run', { urgency: 'due', resources: ['selected'] });
  expect(next).toMatchObject({ ok: true });
  expect(next).not.toHaveProperty('indexing');
});
