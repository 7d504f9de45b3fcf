import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { noteFigures } from '../../support/figures.ts';
import { expectSoundFiles } from '../../support/killed-sync.ts';
import { isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { expectEqualSets } from '../../support/selected-set.ts';
import { fill, smallDisk } from '../../support/small-disk.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { idsIn } from '../../support/user-data.ts';

const RUNS = isWhole ? 200 : 3;
/** So that no answer is still fresh, and nothing waits for a retry. */
const LATER = 3 * 3_600_000;

interface Moment {
  /** True if there is a mirror already, which gets changes. */
  later: boolean;
  /** The request before whose answer the disk becomes full. */
  request: number;
  /** Bytes that stay free then. */
  left: number;
}

/**
 * Accepts both outcomes of a call on a full disk: it is done, or refused with the reason. Returns true if it was done.
 */
async function doneUnlessFull(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(BroadsheetError);
    expect((error as BroadsheetError).code).toBe('disk_full');
    return false;
  }
}

function starsIn({ queries }: TestEngine): unknown[] {
  return idsIn(queries.userData.records(), 'star');
}

describe('a disk that becomes full during a download', () => {
  it(`loses nothing, and the next sync is complete (${RUNS} moments)`, async ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip('no disk can be mounted here');
    let requests = 0;
    let before: { request: number; then: () => void } | null = null;
    const clock = fakeClock();
    const service = await startDemoService({
      clock,
      content: { selected: 150, unselected: 40, days: 4 },
      intercept: () => {
        requests += 1;
        if (requests === before?.request) before.then();
        return false;
      },
    });
    let cases = 0;
    const seen = { refused: 0, full: 0 };

    const check = async ({ later, request, left }: Moment): Promise<void> => {
      cases += 1;
      const folder = join(disk, `data-${cases}`);
      const room = openTestEngine({ address: service.newsAddress, clock, folder });
      const stars = ['before'];
      await room.call('items.mark', { ids: stars, mark: 'star' });
      if (later) {
        await room.call('sync.run', { urgency: 'all' });
        for (const { id } of service.control.selectedItems().slice(0, 60))
          service.control.editItem(id, { title: `Edited in case ${cases}` });
        service.control.addItem({ selected: true });
        clock.advance(LATER);
      }
      let giveBack: (() => void) | null = null;
      requests = 0;
      before = { request, then: () => (giveBack ??= fill(disk, left)) };
      await doneUnlessFull(room.call('sync.run', { urgency: 'all' }));
      before = null;
      giveBack ??= fill(disk, left);
      seen.full += 1;
      for (const id of ['first', 'second'])
        if (await doneUnlessFull(room.call('items.mark', { ids: [id], mark: 'star' }))) stars.push(id);
        else seen.refused += 1;
      giveBack();

      clock.advance(LATER);
      expect(await room.call('sync.run', { urgency: 'all' })).toMatchObject({ ok: true });
      await expectEqualSets(room, service.control);
      expect(starsIn(room).toSorted()).toEqual(stars.toSorted());
      expect((await room.call('sync.status', {})).storageWarnings).toEqual([]);
      const defects = room.log.filter(({ fields }) => 'trace' in fields).map(({ message }) => message);
      expect(defects).toEqual([]);
      await room.engine.close();
      expectSoundFiles(folder);
      rmSync(folder, { recursive: true });
    };
    const moments = fc.record({
      later: fc.boolean(),
      request: fc.integer({ min: 1, max: 14 }),
      left: fc.nat({ max: 600_000 }),
    });
    await expectHeld(moments, RUNS, check);
    noteFigures({ what: 'moments at which the disk became full', amount: RUNS, counts: seen });
    await service.close();
  });
});
