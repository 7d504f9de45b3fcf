import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredNotification } from '../../../../src-main/contract/model/notification.ts';
import { NotificationsState } from '../../../../src-renderer/features/notifications/notifications.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpNotification } from '../../support/made-up-notifications.ts';
import { settle } from '../../support/settle.ts';

let wire: CoreWire;
let shown: StoredNotification[];

beforeEach(async () => {
  localStorage.clear();
  wire = await openCore();
  wire.answer('notifications.list', () => ({ notifications: shown }));
  shown = [madeUpNotification(7, NOW), madeUpNotification(6, NOW)];
});

async function started(): Promise<NotificationsState> {
  const notifications = new NotificationsState(wire);
  await notifications.load();
  return notifications;
}

async function arrive(id: number): Promise<void> {
  shown = [madeUpNotification(id, NOW), ...shown];
  wire.emit('notifications.changed', {});
  await settle();
}

describe('the history of notifications', () => {
  it('has nothing new on the first visit', async () => {
    expect((await started()).unseen).toBe(false);
  });

  it('has something new until it is opened', async () => {
    const notifications = await started();
    await arrive(8);
    expect(notifications.unseen).toBe(true);
    await notifications.open();
    expect(notifications.unseen).toBe(false);
    expect(
      notifications.notifications.map((notification) => [notification.id, notifications.isNew(notification)]),
    ).toEqual([
      [8, true],
      [7, false],
      [6, false],
    ]);
  });

  it('remembers what was seen after a restart', async () => {
    const notifications = await started();
    await notifications.open();
    notifications.close();
    shown = [madeUpNotification(8, NOW), ...shown];
    expect((await started()).unseen).toBe(true);
  });

  it('marks new entries as seen while it is open', async () => {
    const notifications = await started();
    await notifications.open();
    await arrive(8);
    expect(notifications.notifications.map(({ id }) => id)).toEqual([8, 7, 6]);
    expect(notifications.unseen).toBe(false);
    notifications.close();
    await arrive(9);
    expect(notifications.unseen).toBe(true);
  });

  it('shows new entries even if the ids start again', async () => {
    await (await started()).open();
    shown = [madeUpNotification(1, NOW)];
    const notifications = await started();
    expect(notifications.unseen).toBe(false);
    await arrive(2);
    expect(notifications.unseen).toBe(true);
  });
});
