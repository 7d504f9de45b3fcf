import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { EVERYTHING, rowsOf } from '../../support/selected-set.ts';
import { storeListed } from '../../support/store.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const ALL = 2_500;

interface Scene {
  open: () => TestEngine;
  room: TestEngine;
  watermark: number;
}

/** More items than one step marks. */
function filled(): Scene {
  const folder = temporaryFolder();
  const open = (): TestEngine => openTestEngine({ address: 'http://127.0.0.1:9', folder });
  const room = open();
  storeListed(room.engine.store, items(ALL));
  return { open, room, watermark: room.queries.mirror.number('sequence') };
}

const unread = ({ queries }: TestEngine): number => queries.items.counts().all.unread;

describe('marking everything as read', () => {
  it('is ended by the next process if one is killed between two steps', async () => {
    const { room, open, watermark } = filled();
    // The state that a killed process leaves: one part is saved, with the rest.
    room.engine.store.transaction(({ statuses, now }) => {
      statuses.markAllRead({ query: EVERYTHING, watermark, now, below: null }, 1_000);
    });
    expect(unread(room)).toBe(ALL - 1_000);
    await room.engine.close();
    const next = open();
    await next.engine.close();
    const after = open();
    expect(unread(after)).toBe(0);
    expect(after.events.filter(({ event }) => event === 'marks.changed')).toEqual([]);
    expect((await rowsOf(after, EVERYTHING)).every(({ state }) => state.readAt !== null)).toBe(true);
  });
});
