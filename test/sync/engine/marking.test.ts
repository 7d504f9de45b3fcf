import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { EVERYTHING, rowsOf } from '../../support/selected-set.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const SELECTED = 4_600;

interface Scene {
  address: string;
  open: () => TestEngine;
}

async function filled(): Promise<Scene & { room: TestEngine; watermark: number }> {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content: { selected: SELECTED, unselected: 0, days: 90 } });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const open = (): TestEngine => openTestEngine({ address: service.newsAddress, clock, folder });
  const room = open();
  await room.call('sync.run', { urgency: 'now' });
  return { address: service.newsAddress, open, room, watermark: room.queries.mirror.number('sequence') };
}

const unread = ({ queries }: TestEngine): number => queries.items.counts().all.unread;

describe('marking everything as read', { timeout: 60_000 }, () => {
  it('leaves turns for other calls, and can be undone as one action', async () => {
    const { room, watermark } = await filled();
    const seen: number[] = [];
    const done = { yet: false };
    const marking = room.call('items.markAllRead', { query: EVERYTHING, watermark }).finally(() => (done.yet = true));
    while (!done.yet) {
      await setImmediate();
      seen.push(unread(room));
    }
    const receipt = await marking;
    expect(receipt.changed).toBe(SELECTED);
    // No step marks them all.
    expect(seen.some((left) => left > 0 && left < SELECTED)).toBe(true);
    expect(unread(room)).toBe(0);
    expect(await room.call('items.undoMark', { undo: receipt.undo! })).toEqual({ restored: SELECTED });
    expect(unread(room)).toBe(SELECTED);
  });

  it('leaves unread what arrives between two steps', async () => {
    const { room, watermark } = await filled();
    const marking = room.call('items.markAllRead', { query: EVERYTHING, watermark });
    await setImmediate();
    const late = { ...(await rowsOf(room, EVERYTHING))[0]!, id: 'late' };
    room.engine.store.transaction((tx) => {
      const { inSelectedSet: _, ...item } = late;
      tx.items.upsert(item, { kind: 'listed' });
    });
    await marking;
    expect(unread(room)).toBe(1);
  });

  it('is ended by the next process if one is killed between two steps', async () => {
    const { room, open, watermark } = await filled();
    // The state that a killed process leaves: one part is saved, with the rest.
    room.engine.store.transaction(({ statuses, now }) => {
      statuses.markAllRead({ query: EVERYTHING, watermark, now, below: null }, 1_000);
    });
    expect(unread(room)).toBe(SELECTED - 1_000);
    await room.engine.close();
    const next = open();
    await next.engine.close();
    const after = open();
    expect(unread(after)).toBe(0);
    expect(after.events.filter(({ event }) => event === 'marks.changed')).toEqual([]);
    expect((await rowsOf(after, EVERYTHING)).every(({ state }) => state.readAt !== null)).toBe(true);
  });
});
