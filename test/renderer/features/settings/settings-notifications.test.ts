import { within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openSection } from '../../support/settings-page.ts';
import { settle } from '../../support/settle.ts';

let wire: CoreWire;

beforeEach(async () => {
  wire = await openCore();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const open = () => openSection(wire, 'notifications');
const changes = () => wire.argsOf('settings.set').map(({ patch }) => patch);

/** A browser with this permission, which gives this answer to a request. */
function browserOf(permission: NotificationPermission, answer: NotificationPermission = permission) {
  const requestPermission = vi.fn(() => {
    notification.permission = answer;
    return Promise.resolve(answer);
  });
  const notification = { permission, requestPermission };
  vi.stubGlobal('Notification', notification);
  return notification;
}

describe('each kind', () => {
  it('has a switch of its own, which changes no other', async () => {
    const before = wire.settings.notify;
    const { field, choose } = await open();
    for (const [name, kind] of [
      ['New dailies', 'daily'],
      ['New weeklies', 'weekly'],
      ['New monthlies', 'monthly'],
      ['Updates to topics I follow', 'story'],
      ['Model changes', 'models'],
    ] as const) {
      const notify = wire.settings.notify;
      expect([name, field(name).checked]).toEqual([name, before[kind]]);
      await choose(name);
      expect(changes().at(-1)).toEqual({ notify: { ...notify, [kind]: !before[kind] } });
    }
  });
});

describe('quiet hours', () => {
  it('have times once they are on, and a summary', async () => {
    const { field, choose, type, says } = await open();
    expect(field('From').disabled).toBe(true);
    await choose('Turn on quiet hours');
    expect(field('From').disabled).toBe(false);
    expect(says(/^Every day from 10:00\sPM to 7:00\sAM the next day\.$/)).toBe(true);
    for (const [from, to, said] of [
      ['13:00', '14:30', /^Every day from 1:00\sPM to 2:30\sPM\.$/],
      ['07:00', '07:00', 'Both times are equal: quiet hours never start.'],
    ] as const) {
      await type('From', from);
      await type('To', to);
      expect(wire.settings.quietHours).toEqual({ on: true, from, to });
      expect([from, says(said)]).toEqual([from, true]);
    }
  });
  it('are chosen in the clock of the page, and may be a time in between', async () => {
    wire.settings = { ...wire.settings, language: 'zh-CN', quietHours: { on: true, from: '21:45', to: '07:00' } };
    const { panel } = await open();
    const [from] = within(panel()).getAllByRole<HTMLSelectElement>('combobox');
    expect([...from!.options].filter(({ value }) => /^2[12]/.test(value)).map(({ text }) => text)).toEqual([
      '21:00',
      '21:30',
      '21:45',
      '22:00',
      '22:30',
    ]);
  });
});

describe('the browser', () => {
  it('is asked for permission on a click, and not before', async () => {
    const { requestPermission } = browserOf('default', 'granted');
    const { click, says, panel } = await open();
    expect(requestPermission).not.toHaveBeenCalled();
    expect(says(/need your permission/)).toBe(true);
    await click('Allow notifications…');
    expect(requestPermission).toHaveBeenCalledOnce();
    expect(says(/Notifications are allowed/)).toBe(true);
    expect(panel().textContent).not.toContain('Allow notifications');
  });

  it('that refused shows how to allow it, and is checked again when that was changed elsewhere', async () => {
    const notification = browserOf('denied');
    const { says, panel } = await open();
    expect(says(/Allow them in the site settings next to the address bar/)).toBe(true);
    expect(panel().textContent).not.toContain('Allow notifications');
    notification.permission = 'granted';
    window.dispatchEvent(new Event('focus'));
    await settle();
    expect(says(/Notifications are allowed/)).toBe(true);
  });

  it('without notifications is reported, and offers neither a test notification nor a badge', async () => {
    vi.stubGlobal('Notification', undefined);
    const { panel, says } = await open();
    expect(says(/doesn’t support notifications/)).toBe(true);
    expect(panel().textContent).not.toMatch(/Send test notification|Unread badge/);
  });

  it('is not mentioned on the desktop', async () => {
    const { requestPermission } = browserOf('default');
    wire.capabilities = { ...wire.capabilities, host: 'electron' };
    const { panel } = await open();
    expect(panel().textContent).not.toContain('In this browser');
    expect(requestPermission).not.toHaveBeenCalled();
  });
});

describe('on the desktop, a test notification', () => {
  beforeEach(() => {
    wire.capabilities = { ...wire.capabilities, host: 'electron', notifications: true };
  });

  it('is sent on a click, and says what came of it', async () => {
    const { click, says } = await open();
    // macOS asks for permission then.
    expect(says(/macOS asks for permission/)).toBe(false);
    expect(wire.calls.map(({ method }) => method)).not.toContain('notifications.test');
    for (const [trial, said] of [
      [{ outcome: 'shown', reason: '' }, /^Sent\. If you don’t see it/],
      [{ outcome: 'failed', reason: 'not signed' }, 'Your system didn’t show it: not signed'],
      [{ outcome: 'unknown', reason: '' }, /didn’t confirm it/],
    ] as const) {
      wire.app.ports.desktop = { testNotification: () => Promise.resolve(trial) };
      await click('Send test notification');
      expect([trial.outcome, says(said)]).toEqual([trial.outcome, true]);
    }
  });

  it('is explained on macOS, which asks for permission', async () => {
    wire.capabilities = { ...wire.capabilities, platform: 'darwin' };
    expect((await open()).says(/macOS asks for permission/)).toBe(true);
  });
});

describe('the unread badge', () => {
  it('can be chosen if there is a tray', async () => {
    wire.capabilities = { ...wire.capabilities, host: 'electron', tray: true };
    const { choose } = await open();
    await choose('Number');
    expect(changes()).toEqual([{ unreadMark: 'number' }]);
  });
});
