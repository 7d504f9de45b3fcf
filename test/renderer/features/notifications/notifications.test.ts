import { cleanup, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { StoredNotification } from '../../../../src-main/contract/model/notification.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpNotification } from '../../support/made-up-notifications.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';

let wire: CoreWire;
let shown: StoredNotification[];
let app: AppState;

beforeEach(async () => {
  localStorage.clear();
  wire = await openCore();
  wire.answer('notifications.list', () => ({ notifications: shown }));
  shown = [madeUpNotification(7, NOW), madeUpNotification(6, NOW)];
});

async function start(): Promise<void> {
  cleanup();
  ({ app } = await openPage(wire));
}

async function arrive(id: number): Promise<void> {
  shown = [madeUpNotification(id, NOW), ...shown];
  wire.emit('notifications.changed', {});
  await settle();
}

const hasNew = (): boolean => screen.queryByRole('button', { name: m.notifications_open_new() }) !== null;

/** Opens the history, and returns which entries it marks as new. */
async function open(): Promise<boolean[]> {
  app.panel = 'notifications';
  await settle();
  return marked();
}

function marked(): boolean[] {
  const dialog = within(screen.getByRole('dialog', { name: m.notifications_title() }));
  const entries = dialog.getAllByRole('listitem');
  return entries.map((entry) => within(entry).queryByText(m.is_new()) !== null);
}

async function close(): Promise<void> {
  app.panel = null;
  await settle();
}

describe('the history of notifications', () => {
  it('has nothing new on the first visit', async () => {
    await start();
    expect(hasNew()).toBe(false);
    expect(await open()).toEqual([false, false]);
  });

  it('has something new until it is opened', async () => {
    await start();
    await arrive(8);
    expect(hasNew()).toBe(true);
    expect(await open()).toEqual([true, false, false]);
    await close();
    expect(hasNew()).toBe(false);
  });

  it('remembers what was seen after a restart', async () => {
    await start();
    await open();
    shown = [madeUpNotification(8, NOW), ...shown];
    await start();
    expect(hasNew()).toBe(true);
  });

  it('counts new entries as seen while it is open', async () => {
    await start();
    await open();
    await arrive(8);
    expect(marked()).toEqual([true, false, false]);
    await close();
    expect(hasNew()).toBe(false);
    await arrive(9);
    expect(hasNew()).toBe(true);
  });

  it('shows new entries even if the ids start again', async () => {
    await start();
    await open();
    shown = [madeUpNotification(1, NOW)];
    await start();
    expect(hasNew()).toBe(false);
    await arrive(2);
    expect(hasNew()).toBe(true);
  });
});
