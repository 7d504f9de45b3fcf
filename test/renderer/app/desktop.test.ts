import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { AppCommand } from '../../../src-main/contract/events.ts';
import type {
  NotificationKind,
  NotificationGroup as Raised,
  StoredNotification,
} from '../../../src-main/contract/model/notification.ts';
import type { ReportLine } from '../../../src-main/contract/model/report.ts';
import type { StoryLine } from '../../../src-main/contract/model/story.ts';
import type { WindowTarget } from '../../../src-main/contract/refs.ts';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import OwnWindow from '../../../src-renderer/app/OwnWindow.svelte';
import { NEWS, NOW, openCore, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { madeUpNotification } from '../support/made-up-notifications.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { waitFor } from '../support/wait.ts';

const MINUTE = 60_000;

let wire: CoreWire;

// jsdom is slow to compute the visibility of each element.
beforeAll(() => configure({ defaultHidden: true }));
afterAll(() => configure({ defaultHidden: false }));

beforeEach(async () => {
  localStorage.clear();
  wire = await openCore({ ...NEWS, items: Array.from({ length: 6 }, (_, n) => madeUpRow(n, NOW - 72 * 3_600_000)) });
});

const happened = (...notifications: StoredNotification[]): void =>
  wire.answer('notifications.list', () => ({ notifications }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const reported = () => wire.argsOf('problems.report');

describe('the history of notifications', () => {
  async function openHistory(): Promise<{ app: AppState; dialog: HTMLElement }> {
    const { app } = await openPage(wire);
    app.panel = 'notifications';
    const dialog = await screen.findByRole('dialog', { name: m.notifications_title() }, { timeout: 10_000 });
    await settle();
    return { app, dialog };
  }

  it('says so if it is empty', async () => {
    const { dialog } = await openHistory();
    const headings = within(dialog).getAllByRole('heading');
    expect(headings.map(({ textContent }) => textContent)).toContain(m.notifications_empty_title());
  });

  it('lists what happened, when, and whether it was shown', async () => {
    happened(
      madeUpNotification(3, NOW, { kind: 'story', label: null, count: 2, title: 'Harbour works' }),
      madeUpNotification(2, NOW - MINUTE, { kind: 'models', label: null, title: '', toldAt: null }),
      madeUpNotification(1, NOW - 2 * MINUTE, { toldAt: new Date(NOW + 30 * 3_600_000).toISOString() }),
      madeUpNotification(0, NOW - 120 * MINUTE, { toldAt: new Date(NOW).toISOString() }),
    );
    const { dialog } = await openHistory();
    const texts = within(dialog)
      .getAllByRole('listitem')
      .map((entry) => entry.textContent.replace(/\s+/g, ' '));
    expect(texts[0]).toMatch(/2 new articles on a topic.*Harbour works \d+:\d\d AM $/);
    expect(texts[1]).toMatch(/1 model changed.*Silent/);
    expect(texts[2]).toMatch(/New daily report: .*A headline.*Notified .*\d{4}/);
    expect(texts[3]).toMatch(/Notified at \d+:\d\d/);
  });

  it('opens the target', async () => {
    const [{ publicId }] = (await wire.ask('stories.list', { which: 'all' })).stories as [StoryLine];
    happened(madeUpNotification(1, NOW, { kind: 'story', label: null, target: { view: 'story', publicId } }));
    const { app, dialog } = await openHistory();
    await fireEvent.click(within(dialog).getByRole('button', { name: /new article/ }));
    await settle();
    expect([app.panel, app.views.current, app.views.stories.id]).toEqual([null, 'stories', publicId]);
  });

  it('marks the bell while there is something new, and leads to the settings', async () => {
    const { app } = await openPage(wire);
    happened(madeUpNotification(1, NOW));
    wire.emit('notifications.changed', {});
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: m.notifications_open_new() }));
    const dialog = await screen.findByRole('dialog', { name: m.notifications_title() }, { timeout: 10_000 });
    await settle();
    expect(within(dialog).getAllByText(m.is_new())).toHaveLength(1);
    await fireEvent.click(within(dialog).getByRole('button', { name: m.notifications_settings() }));
    expect([app.panel, app.settingsSection]).toEqual(['settings', 'notifications']);
  });
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

  it('are shown, and open their target on a click', async () => {
    browserSays('granted');
    const { app } = await openPage(wire);
    wire.emit('notifications.raised', raised);
    await waitFor(() => expect(shown).toHaveLength(1), { timeout: 8_000 });
    expect(shown.map(({ title, options }) => [title, options.body, options.tag])).toEqual([
      [expect.stringMatching(/^New daily report:/), 'A headline', 'broadsheet-4'],
    ]);
    shown[0]?.dispatchEvent(new Event('click'));
    await settle();
    expect(app.reading.item?.id).toBe('item-2');
    expect(window.focus).toHaveBeenCalledOnce();
  });

  it('of a saved search open its list, over what is shown', async () => {
    browserSays('granted');
    const { app } = await openPage(wire);
    await app.rules.save('Zebras', 'zebra', true);
    const { id } = app.rules.searches[0]!;
    app.navigation.showView('archive');
    app.panel = 'help';
    wire.emit('notifications.raised', {
      notifications: [madeUpNotification(5, NOW, { kind: 'saved', label: 'Zebras', target: { view: 'saved', id } })],
      target: { view: 'saved', id },
      catchUp: false,
    });
    await waitFor(() => expect(shown).toHaveLength(1), { timeout: 8_000 });
    shown[0]?.dispatchEvent(new Event('click'));
    await settle();
    expect([app.panel, app.views.current, app.feed.list.query.saved]).toEqual([null, 'feed', id]);
    expect(document.querySelector('#feed-list h1')?.textContent).toContain('Zebras');
  });

  it.each(['denied', 'default'] as const)('are neither shown nor asked for if the permission is: %s', async (said) => {
    browserSays(said);
    await openPage(wire);
    wire.emit('notifications.raised', raised);
    expect(shown).toEqual([]);
    expect(Notification.requestPermission).not.toHaveBeenCalled();
  });

  it('are left to the desktop app', async () => {
    browserSays('granted');
    wire.capabilities = { ...wire.capabilities, host: 'electron' };
    await openPage(wire);
    wire.emit('notifications.raised', raised);
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

  it('shows a story under its title, without navigation', async () => {
    const [{ publicId }] = (await wire.ask('stories.list', { which: 'all' })).stories as [StoryLine];
    await openOwn({ view: 'story', publicId });
    const title = screen.getByRole('heading', { level: 1 }).textContent;
    expect(document.title).toBe(`${title} · Broadsheet`);
    expect(screen.queryByRole('navigation')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: m.topics_more() }));
    expect(screen.queryByRole('menuitem', { name: m.window_open() })).toBeNull();
    expect(screen.getAllByRole('menuitem', { name: m.window_print() })).toHaveLength(1);
  });

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
    await fireEvent.keyDown(text, { key: 'n', cancelable: true });
    await settle();
    expect(app.views.archive.place).not.toBeNull();
    expect(document.activeElement?.classList.contains('citation')).toBe(true);
  });

  it('says so if the browser does not let it close', async () => {
    vi.useFakeTimers();
    vi.spyOn(window, 'close').mockReturnValue();
    const [{ label }] = (await wire.ask('reports.index', { kind: 'daily' })).lines as [ReportLine];
    const app = await openOwn({ view: 'report', kind: 'daily', label });
    await fireEvent.click(screen.getByRole('button', { name: m.window_close() }));
    expect(window.close).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1000);
    expect(app.toasts.note?.text).toBe(m.window_close_by_hand());
    cleanup();
    vi.useRealTimers();
  });
});

describe('a view that fails', () => {
  it('says so in its place, is reported to the core, and leaves the rest intact', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    happened(madeUpNotification(1, NOW, { kind: 'horoscope' as NotificationKind }));
    const { app } = await openPage(wire);
    app.panel = 'notifications';
    await screen.findByText(m.problems_title(), {}, { timeout: 10_000 });
    expect(reported()).toHaveLength(1);
    expect(screen.queryAllByRole('listbox')).toHaveLength(1);
    expect(screen.queryAllByRole('button', { name: new RegExp(m.problems_open_sync_status()) })).toHaveLength(1);
    happened(madeUpNotification(2, NOW));
    await fireEvent.click(screen.getByRole('button', { name: m.try_again() }));
    await screen.findByText(/^New daily report:/, {}, { timeout: 10_000 });
  });
});

describe('the sync status', () => {
  it('is marked while it has a problem that was not seen', async () => {
    const problem = { id: 1, at: new Date(NOW).toISOString(), where: 'engine', message: 'It broke' } as const;
    const health = await wire.ask('health.get', {});
    wire.answer('health.get', () => ({ ...health, problems: [problem] }));
    const { app } = await openPage(wire);
    app.panel = 'health';
    await screen.findByText('It broke', {}, { timeout: 10_000 });
    expect(screen.queryAllByRole('button', { name: m.problems_restart() })).toHaveLength(1);
    wire.answer('health.get', () => ({ ...health, problems: [] }));
    await fireEvent.click(screen.getByRole('button', { name: m.dismiss() }));
    await settle();
    expect(screen.queryByText('It broke')).toBeNull();
    expect(wire.argsOf('problems.dismiss')).toHaveLength(1);
  });
});
