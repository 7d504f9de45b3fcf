import { cleanup, fireEvent, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Settings, SettingsSection } from '../../../../src-main/contract/settings.ts';
import { READ_DELAY_MS } from '../../../../src-renderer/features/reading/reading.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openApp } from '../../support/page.ts';
import { openSection } from '../../support/settings-page.ts';
import { settle } from '../../support/settle.ts';

let wire: CoreWire;

beforeEach(async () => {
  wire = await openCore();
  localStorage.clear();
});

const changes = () => wire.argsOf('settings.set').map(({ patch }) => patch);

describe('a change', () => {
  it('takes effect at once', async () => {
    const { choose, app } = await openSection(wire, 'appearance');
    const answer = wire.hold();
    await choose('Dark');
    expect([document.documentElement.dataset['theme'], app.settings.current.theme]).toEqual(['dark', 'dark']);
    answer();
    await settle();
    expect(wire.settings.theme).toBe('dark');
  });

  it('that cannot be saved is undone, with the reason beside it', async () => {
    const { choose, field, panel } = await openSection(wire, 'appearance');
    wire.failing.set('settings.set', { code: 'disk_full', message: '', retryable: false });
    await choose('150%');
    expect(document.documentElement.style.getPropertyValue('--text-size')).toBe('100');
    expect(field('100%').checked).toBe(true);
    const said = panel().querySelector('[role=alert]');
    expect(said?.textContent).toContain('The disk is full.');
    expect(said?.closest('.setting')?.contains(field('100%'))).toBe(true);
  });
});

it('saves each choice as one setting', async () => {
  const { app, choose } = await openSection(wire, 'appearance');
  const choices: [section: SettingsSection, name: string, patch: Partial<Settings>][] = [
    ['appearance', 'Sans-serif', { font: 'sans' }],
    ['appearance', '125%', { textSize: 125 }],
    ['appearance', 'Compact', { density: 'compact' }],
    ['appearance', 'Light', { theme: 'light' }],
    ['data', 'Only when I refresh', { polling: 'byHand' }],
    ['data', '90 days', { keepDays: 90 }],
    ['advanced', 'Forever', { keepServicesDays: null }],
    ['advanced', 'None', { proxy: 'none' }],
    ['advanced', 'After 3 seconds', { countsAsRead: 'afterDelay' }],
    ['advanced', 'Only by me', { countsAsRead: 'byHand' }],
    ['general', 'Mark as read when scrolled past', { readOnScroll: true }],
  ];
  for (const [section, name] of choices) {
    app.openSettings(section);
    await settle();
    await choose(name);
  }
  expect(changes()).toEqual(choices.map(([, , patch]) => patch));
});

describe('the appearance', () => {
  it('is applied to the page, and saved for the next start', async () => {
    const { app } = await openSection(wire, 'appearance');
    await app.settings.set({ font: 'sans', textSize: 90, theme: 'dark' });
    const root = document.documentElement;
    expect(root.dataset).toMatchObject({ font: 'sans', theme: 'dark' });
    expect(root.style.getPropertyValue('--text-size')).toBe('90');
    expect(localStorage.getItem('broadsheet.appearance')).toBe('{"theme":"dark","font":"sans","textSize":90}');
    await app.settings.set({ theme: 'system' });
    expect(root.dataset['theme']).toBeUndefined();
  });
});

describe('the network', () => {
  it('keeps an address that is being typed while another setting changes', async () => {
    const { panel } = await openSection(wire, 'general');
    const [address] = within(panel()).getAllByLabelText<HTMLInputElement>('Address');
    await fireEvent.input(address!, { target: { value: 'news.example' } });
    await wire.ask('settings.set', { patch: { density: 'compact' } });
    await settle();
    expect(address!.value).toBe('news.example');
  });

  it('uses a proxy address once it is saved and valid', async () => {
    const { choose, field, type, button, click, says } = await openSection(wire, 'advanced');
    await choose('Custom');
    expect(changes()).toEqual([]);
    expect(document.activeElement).toBe(field('Proxy address'));
    expect(button('Use proxy').disabled).toBe(true);
    await type('Proxy address', 'http://me@proxy.example');
    await click('Use proxy');
    expect(field('Proxy address').getAttribute('aria-invalid')).toBe('true');
    expect(changes()).toEqual([]);
    await type('Proxy address', ' proxy.example:8080 ');
    await click('Use proxy');
    expect(wire.settings.proxy).toBe('http://proxy.example:8080');
    expect(says('Address saved')).toBe(true);
    await choose('System');
    expect(wire.settings.proxy).toBe('system');
  });
});

describe('reading', () => {
  it.each([
    ['data', 'Forever', '90 days', 'Older items are removed'],
    ['advanced', 'Everything', 'The last week', 'Older items start as read'],
  ] as const)('says in %s what becomes of older items, but not for "%s"', async (section, all, some, hint) => {
    const { choose, panel } = await openSection(wire, section);
    await choose(some);
    expect(panel().textContent).toContain(hint);
    await choose(all);
    expect(panel().textContent).not.toContain(hint);
  });

  it('shows a number of days that was written by hand, and returns to "forever"', async () => {
    wire.settings = { ...wire.settings, keepDays: 45 };
    const { field, choose } = await openSection(wire, 'data');
    expect(field('45 days').checked).toBe(true);
    await choose('Forever');
    expect(wire.settings.keepDays).toBeNull();
  });

  describe('counts an item as read', () => {
    const isRead = async (n: number): Promise<boolean> => (await wire.stateOf(wire.rows[n]!.id)).readAt !== null;

    async function openFirst(countsAsRead: Settings['countsAsRead'], readAt: string | null = null) {
      const state = { readAt, starredAt: null };
      const items = [0, 1].map((n) => madeUpRow(n, NOW, { inSelectedSet: true, state }));
      wire = await openCore({ items, settings: { countsAsRead } });
      const app = await openApp(wire);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
      app.actions.step(1);
      await settle();
      return app;
    }

    async function wait(ms: number): Promise<void> {
      vi.advanceTimersByTime(ms);
      await settle();
    }

    beforeEach(() => () => void vi.useRealTimers());

    it('when it started as read, too: only then do reports know of it', async () => {
      await openFirst('opened', '2026-03-18T06:00:00.000Z');
      expect(wire.calls).toContainEqual({
        method: 'items.mark',
        args: { ids: [wire.rows[0]!.id], mark: 'read' },
      });
    });

    it('not when the next one was opened sooner', async () => {
      const app = await openFirst('afterDelay');
      await wait(READ_DELAY_MS - 1);
      app.actions.step(1);
      await wait(READ_DELAY_MS - 1);
      expect([await isRead(0), await isRead(1)]).toEqual([false, false]);
      await wait(1);
      expect([await isRead(0), await isRead(1)]).toEqual([false, true]);
    });

    it('not when it was closed sooner', async () => {
      const app = await openFirst('afterDelay');
      app.history.close();
      await wait(READ_DELAY_MS);
      expect(await isRead(0)).toBe(false);
    });

    it('not if the user marked it as unread meanwhile', async () => {
      const app = await openFirst('afterDelay');
      app.actions.toggleRead();
      await settle();
      app.actions.toggleRead();
      await wait(READ_DELAY_MS);
      expect(await isRead(0)).toBe(false);
    });

    it('only by hand', async () => {
      const app = await openFirst('byHand');
      await wait(READ_DELAY_MS);
      expect(await isRead(0)).toBe(false);
      app.actions.toggleRead();
      await settle();
      expect(await isRead(0)).toBe(true);
    });
  });
});

describe('tray and start-up', () => {
  const open = (platform: string, section: SettingsSection = 'general') => {
    wire.capabilities = { ...wire.capabilities, host: 'electron', platform, tray: true, launchAtLogin: true };
    return openSection(wire, section);
  };

  it.each([
    ['win32', true],
    ['linux', false],
  ])('keep running in the tray on %s unless the reader says otherwise: %j', async (platform, keeps) => {
    const { field, choose } = await open(platform);
    expect(field('Keep running when the window is closed').checked).toBe(keeps);
    await choose('Keep running when the window is closed');
    await choose('Keep running when the window is closed');
    expect(changes()).toEqual([{ closeToTray: !keeps }, { closeToTray: keeps }]);
  });

  it('explain on Linux how to find a hidden window without a tray', async () => {
    expect((await open('linux')).says(/Without a tray/)).toBe(true);
  });

  it('offer no choice on macOS, where closing never quits', async () => {
    const { panel, says } = await open('darwin');
    expect(says(/stays in the Dock/)).toBe(true);
    expect(within(panel()).queryByLabelText(/window is closed/)).toBeNull();
  });

  it('switch starting at login, and starting without a window', async () => {
    await (await open('win32')).choose('Open at login');
    cleanup();
    await (await open('win32', 'advanced')).choose('Start with the window hidden');
    expect(changes()).toEqual([{ launchAtLogin: true }, { startHidden: true }]);
  });

  it('are not offered where the host has neither', async () => {
    const { panel } = await openSection(wire, 'general');
    expect(within(panel()).queryByLabelText(/window is closed|Open at login/)).toBeNull();
  });
});

describe('updates', () => {
  beforeEach(() => {
    wire.capabilities = { ...wire.capabilities, host: 'electron', updates: true };
  });

  it('are checked for if that is switched on', async () => {
    const { choose, button } = await openSection(wire, 'advanced');
    expect(button('Check now').disabled).toBe(true);
    await choose('Check for new versions');
    expect(changes()).toEqual([{ updates: true }]);
  });

  it('are checked for by hand, which says what came of it', async () => {
    let newest: string | null = null;
    wire.app.ports.desktop = { checkForUpdates: async () => newest };
    wire.settings = { ...wire.settings, updates: true };
    const { click, says, button } = await openSection(wire, 'advanced');
    button('Check now').focus();
    await click('Check now');
    expect(says('Broadsheet is up to date.')).toBe(true);
    newest = '0.2.0';
    await click('Check now');
    expect(says('Version 0.2.0 is available.')).toBe(true);
    wire.failing.set('updates.check', { code: 'timeout', message: '', retryable: true });
    await click('Check now');
    expect(says('The server took too long to respond.')).toBe(true);
    expect(document.activeElement).toBe(button('Check now'));
  });
});

describe('what the app says about itself', () => {
  // Holds: news-2-machine-generated
  it('is at the end of the settings, and not under every article', async () => {
    const { says } = await openSection(wire, 'general');
    expect(says('Titles, summaries, topics and reports are AI-generated from third-party sources.')).toBe(true);
  });
});
