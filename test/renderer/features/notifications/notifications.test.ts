import { beforeEach, describe, expect, it } from 'vitest';
import { NoticesState } from '../../../../src-renderer/features/notifications/notifications.svelte.ts';
import { madeUpNotice } from '../../support/made-up-notifications.ts';
import { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';

const NOW = Date.now();

let wire: MemoryWire;

beforeEach(() => {
  localStorage.clear();
  wire = new MemoryWire([], NOW);
  wire.desktop.notices = [madeUpNotice(7, NOW), madeUpNotice(6, NOW)];
});

async function started(): Promise<NoticesState> {
  const notices = new NoticesState(wire);
  await notices.load();
  return notices;
}

async function arrive(id: number): Promise<void> {
  wire.desktop.notices = [madeUpNotice(id, NOW), ...wire.desktop.notices];
  wire.emit('notices.changed', {});
  await settle();
}

describe('the history of notifications', () => {
  it('has nothing new for a browser that comes for the first time', async () => {
    expect((await started()).unseen).toBe(false);
  });

  it('has something new once something came, until it is looked at', async () => {
    const notices = await started();
    await arrive(8);
    expect(notices.unseen).toBe(true);
    await notices.open();
    expect(notices.unseen).toBe(false);
    expect(notices.notices.map((notice) => [notice.id, notices.isFresh(notice)])).toEqual([
      [8, true],
      [7, false],
      [6, false],
    ]);
  });

  it('remembers over a restart what was seen', async () => {
    const notices = await started();
    await notices.open();
    notices.close();
    wire.desktop.notices = [madeUpNotice(8, NOW), ...wire.desktop.notices];
    expect((await started()).unseen).toBe(true);
  });

  it('grows while it is open, and counts as seen', async () => {
    const notices = await started();
    await notices.open();
    await arrive(8);
    expect(notices.notices.map(({ id }) => id)).toEqual([8, 7, 6]);
    expect(notices.unseen).toBe(false);
    notices.close();
    await arrive(9);
    expect(notices.unseen).toBe(true);
  });

  it('that counts from the start again hides nothing new for ever', async () => {
    await (await started()).open();
    wire.desktop.notices = [madeUpNotice(1, NOW)];
    const notices = await started();
    expect(notices.unseen).toBe(false);
    await arrive(2);
    expect(notices.unseen).toBe(true);
  });
});
