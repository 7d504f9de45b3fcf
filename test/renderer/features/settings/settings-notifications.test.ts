import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openSection } from '../../support/settings-page.ts';

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
});
