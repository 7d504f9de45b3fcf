import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { StoredNotification } from '../../../../src-main/contract/model/notification.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpNotification } from '../../support/made-up-notifications.ts';
import { openDialogs, openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const MINUTE = 60_000;

let wire: CoreWire;
let shown: StoredNotification[];
let app: AppState;

beforeEach(async () => {
  localStorage.clear();
  wire = await openCore();
  wire.answer('notifications.list', () => ({ notifications: shown }));
  shown = [madeUpNotification(7, NOW), madeUpNotification(6, NOW)];
});

const dialog = () => within(screen.getByRole('dialog', { name: m.notifications_title() }));
const entries = (): HTMLElement[] => dialog().queryAllByRole('listitem');
/** Which entries are marked as new. */
const marked = (): boolean[] => entries().map((entry) => within(entry).queryByText(m.is_new()) !== null);
/** True if the bell in the sidebar is marked. */
const hasNew = (): boolean => screen.queryByRole('button', { name: m.notifications_open_new() }) !== null;

async function show(panel: 'notifications' | null): Promise<void> {
  app.panel = panel;
  await settle();
}

describe('the history of notifications', () => {
  async function open(...notifications: StoredNotification[]): Promise<void> {
    shown = notifications;
    app = await openDialogs(wire);
    await show('notifications');
  }

  it('lists what happened, when, and whether it was shown', async () => {
    await open(
      madeUpNotification(3, NOW, { kind: 'story', label: null, count: 2, title: 'Harbour works' }),
      madeUpNotification(2, NOW - MINUTE, { kind: 'models', label: null, title: '', toldAt: null }),
      madeUpNotification(1, NOW - 2 * MINUTE, { toldAt: new Date(NOW + 30 * 3_600_000).toISOString() }),
      madeUpNotification(0, NOW - 120 * MINUTE, { toldAt: new Date(NOW).toISOString() }),
    );
    expect(entries().map((entry) => entry.textContent.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/2 new articles on a topic.*Harbour works \d+:\d\d AM $/),
      expect.stringMatching(/1 model changed.*Silent/),
      expect.stringMatching(/New daily report: .*A headline.*Notified .*\d{4}/),
      expect.stringMatching(/Notified at \d+:\d\d/),
    ]);
  });

  it('opens the target', async () => {
    await open(madeUpNotification(1, NOW, { target: { view: 'modelChanges' } }));
    await clickOn(dialog().getByRole('button', { name: /^New daily report/ }));
    expect([app.panel, app.views.current, app.views.models.panel]).toEqual([null, 'models', 'changes']);
  });
});

describe('the bell', () => {
  async function start(): Promise<void> {
    cleanup();
    ({ app } = await openPage(wire));
  }

  async function arrive(id: number): Promise<void> {
    shown = [madeUpNotification(id, NOW), ...shown];
    wire.emit('notifications.changed', {});
    await settle();
  }

  it('is marked while there is something new, not on the first visit, nor for what came while it was open', async () => {
    await start();
    expect(hasNew()).toBe(false);
    await arrive(8);
    expect(hasNew()).toBe(true);
    await clickOn(screen.getByRole('button', { name: m.notifications_open_new() }));
    expect(marked()).toEqual([true, false, false]);
    await arrive(9);
    expect(marked()).toEqual([true, true, false, false]);
    await show(null);
    expect(hasNew()).toBe(false);
    await arrive(10);
    expect(hasNew()).toBe(true);
    await show('notifications');
    await fireEvent.click(dialog().getByRole('button', { name: m.notifications_settings() }));
    expect([app.panel, app.settingsSection]).toEqual(['settings', 'notifications']);
  });

  it('remembers what was seen after a restart, also if the ids start again', async () => {
    await start();
    await show('notifications');
    expect(marked()).toEqual([false, false]);
    shown = [madeUpNotification(8, NOW), ...shown];
    await start();
    expect(hasNew()).toBe(true);
    shown = [madeUpNotification(1, NOW)];
    await start();
    expect(hasNew()).toBe(false);
    await arrive(2);
    expect(hasNew()).toBe(true);
  });
});
