import { expect, it, vi } from 'vitest';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import type { DemoOptions } from '../../../src-main/demo/service.ts';
import { expectEqualSets } from '../../support/selected-set.ts';
import { openServedEngine } from '../../support/test-engine.ts';

const HOUR = 3_600_000;

async function synced(intercept?: DemoOptions['intercept']) {
  const content = { selected: 300, unselected: 20, days: 3 };
  const scene = await openServedEngine({ content, ...(intercept && { intercept }) });
  const sync = async () => {
    scene.clock.advance(HOUR);
    return scene.call('sync.run', { urgency: 'now', resources: ['selected'] });
  };
  expect(await sync()).toMatchObject({ ok: true });
  return { ...scene, sync };
}

it('changes that cannot be saved are read again', async () => {
  const { engine, service, sync, call } = await synced();
  const { cursor } = engine.store.queries.selectedSet;
  const added = service.control.addItem({ title: 'Added' });
  const transaction = engine.store.transaction.bind(engine.store);
  const full = vi.spyOn(engine.store, 'transaction').mockImplementation((work) =>
    transaction((tx) => {
      vi.spyOn(tx.items, 'upsert').mockImplementation(() => {
        throw new BroadsheetError('disk_full', 'The disk is full.');
      });
      return work(tx);
    }),
  );
  expect(await sync()).toMatchObject({ ok: false });
  expect(engine.store.queries.selectedSet.cursor).toBe(cursor);
  full.mockRestore();
  expect(await sync()).toMatchObject({ ok: true, resources: { selected: { added: 1 } } });
  expect(engine.store.queries.items.get(added.id).title).toBe('Added');
  await expectEqualSets({ call }, service.control);
});

it('the validator of a page of changes is not sent for the next page', async () => {
  const validators: (string | undefined)[] = [];
  const { sync, service } = await synced(({ url = '', headers }) => {
    if (url.includes('/changes')) validators.push(headers['if-none-match']);
    return false;
  });
  service.control.addItem({ title: 'Added' });
  for (let round = 0; round < 3; round += 1) expect(await sync()).toMatchObject({ ok: true });
  // The page with the addition, the empty one behind it, and the same one again.
  expect(validators.slice(-3)).toEqual([expect.anything(), undefined, expect.anything()]);
});
