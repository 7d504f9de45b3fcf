import { fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppCommand } from '../../../src-main/contract/events.ts';
import type { NotificationGroup as Raised } from '../../../src-main/contract/model/notification.ts';
import type { ReportLine } from '../../../src-main/contract/model/report.ts';
import type { WindowTarget } from '../../../src-main/contract/refs.ts';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import OwnWindow from '../../../src-renderer/app/OwnWindow.svelte';
import { NEWS, NOW, openCore, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { madeUpNotification } from '../support/made-up-notifications.ts';
import { openPage } from '../support/page.ts';
import { keyDown } from '../support/reader.ts';
import { settle } from '../support/settle.ts';
import { askShownView } from '../support/shown-view.ts';
import { waitFor } from '../support/wait.ts';

let wire: CoreWire;

askShownView();

beforeEach(async () => {
  localStorage.clear();
  wire = await openCore({ ...NEWS, items: Array.from({ length: 6 }, (_, n) => madeUpRow(n, NOW - 72 * 3_600_000)) });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the browser’s notifications', () => {
  const raised: Raised = {
    notifications: [madeUpNotification(4, NOW)],
    target: { view: 'item', id: 'item-2' },
    catchUp: false,
  };
  let shown: (EventTarget & { title: string; options: NotificationOptions })[];

  function browserSays(permission: NotificationPermission): void {
    shown = [];
    class Shown extends EventTarget {
      static permission = permission;
      static requestPermission = vi.fn();
      readonly title: string;
      readonly options: NotificationOptions;
      constructor(title: string, options: NotificationOptions) {
        super();
        [this.title, this.options] = [title, options];
        shown.push(this);
      }
      close(): void {}
    }
    vi.stubGlobal('Notification', Shown);
    vi.spyOn(window, 'focus').mockReturnValue();
  }

  it('are shown, and open their target on a click, a list over what is shown', async () => {
    browserSays('granted');
    const { app } = await openPage(wire);
    wire.emit('notifications.raised', raised);
    await waitFor(() => expect(shown).toHaveLength(1));
    expect(shown.map(({ title, options }) => [title, options.body, options.tag])).toEqual([
      [expect.stringMatching(/^New daily report:/), 'A headline', 'broadsheet-4'],
    ]);
    shown[0]?.dispatchEvent(new Event('click'));
    await settle();
    expect(app.reading.item?.id).toBe('item-2');
    expect(window.focus).toHaveBeenCalledOnce();

    browserSays('granted');
    await app.rules.save('Zebras', 'zebra', true);
    const { id } = app.rules.searches[0]!;
    app.navigation.showView('archive');
    app.panel = 'help';
    wire.emit('notifications.raised', {
      notifications: [madeUpNotification(5, NOW, { kind: 'saved', label: 'Zebras', target: { view: 'saved', id } })],
      target: { view: 'saved', id },
      catchUp: false,
    });
    await waitFor(() => expect(shown).toHaveLength(1));
    shown[0]?.dispatchEvent(new Event('click'));
    await settle();
    expect([app.panel, app.views.current, app.feed.list.query.saved]).toEqual([null, 'feed', id]);
    expect(document.querySelector('#feed-list h1')?.textContent).toContain('Zebras');
  });

  it('are neither shown nor asked for without a permission, and left to the desktop app', async () => {
    const { app } = await openPage(wire);
    for (const permission of ['denied', 'default'] as const) {
      browserSays(permission);
      wire.emit('notifications.raised', raised);
      await settle();
      expect([permission, shown]).toEqual([permission, []]);
      expect(Notification.requestPermission).not.toHaveBeenCalled();
    }
    browserSays('granted');
    wire.capabilities = { ...wire.capabilities, host: 'electron' };
    await app.settings.load();
    wire.emit('notifications.raised', raised);
    await settle();
    expect(shown).toEqual([]);
  });
});

describe('a command of the desktop’s menu', () => {
  it('is done, and Back closes a dialog first', async () => {
    const { app } = await openPage(wire);
    const state = (): unknown[] => [app.views.current, app.panel, app.paletteOpen];
    const commands: [AppCommand, ...unknown[]][] = [
      ['export', 'feed', 'export', false],
      ['back', 'feed', null, false],
      ['shortcuts', 'feed', 'help', false],
      ['back', 'feed', null, false],
      ['dataHealth', 'feed', 'health', false],
      ['back', 'feed', null, false],
      ['hotTopics', 'hotTopics', null, false],
      ['models', 'models', null, false],
      ['search', 'search', null, false],
      ['palette', 'search', null, true],
    ];
    for (const [command, ...wanted] of commands) {
      wire.emit('app.command', { command });
      await settle();
      expect([command, ...state()]).toEqual([command, ...wanted]);
    }
  });
});

describe('a separate window', () => {
  async function openOwn(target: WindowTarget): Promise<AppState> {
    const app = new AppState(wire, true);
    await app.load();
    render(OwnWindow, { props: { app, target } });
    await settle();
    return app;
  }

  it('scrolls by the space bar, and goes on in a report by n', async () => {
    const [{ label }] = (await wire.ask('reports.index', { kind: 'daily' })).lines as [ReportLine];
    const app = await openOwn({ view: 'report', kind: 'daily', label });
    await settle();
    const text = document.querySelector<HTMLElement>('.scroller')!;
    for (const [name, value] of Object.entries({ clientHeight: 500, scrollHeight: 900 })) {
      Object.defineProperty(text, name, { configurable: true, value });
    }
    await fireEvent.keyDown(text, { key: ' ', cancelable: true });
    expect(text.scrollTop).toBe(436);
    await keyDown(text, { key: 'n', cancelable: true });
    expect(app.views.archive.place).not.toBeNull();
    expect(document.activeElement?.classList.contains('citation')).toBe(true);
  });
});
