import { describe, expect, it } from 'vitest';
import {
  canLaunchAtLogin,
  closesToTray,
  correctsLoginItem,
  endsWithWindows,
  startsHidden,
  type DesktopSupport,
} from '../../src-main/electron/startup-rules.ts';

const desktop = (platform: NodeJS.Platform, tray = true): DesktopSupport => ({ platform, tray });
const BY_HAND = { hiddenArgument: false, openedAtLogin: false };
const AT_LOGIN = { hiddenArgument: true, openedAtLogin: false };

describe('closing the window', () => {
  it.each([
    ['hides it on Windows by default', desktop('win32'), null, true],
    ['closes it on Windows if turned off', desktop('win32'), false, false],
    ['closes it on Windows without a tray, whatever the setting', desktop('win32', false), true, false],
    ['closes it on Linux, where the tray may be invisible', desktop('linux'), null, false],
    ['hides it on Linux if turned on, because the user has seen the icon', desktop('linux'), true, true],
    ['closes it on Linux without a tray', desktop('linux', false), true, false],
    ['closes it on macOS by default', desktop('darwin'), null, false],
    ['closes it on macOS whatever the setting, because of the dock', desktop('darwin'), true, false],
  ])('%s', (_what, place, closeToTray, hides) => {
    expect(closesToTray({ closeToTray }, place)).toBe(hides);
  });

  it.each([
    ['quits the app on Linux', desktop('linux'), null, true],
    ['quits it on Windows without a tray', desktop('win32', false), null, true],
    ['leaves it in the tray on Windows', desktop('win32'), null, false],
    ['leaves it in the tray on Linux if turned on', desktop('linux'), true, false],
    ['never quits it on macOS', desktop('darwin', false), false, false],
  ])('%s, when it was the last window', (_what, place, closeToTray, ends) => {
    expect(endsWithWindows({ closeToTray }, place)).toBe(ends);
  });

  it.each(['win32', 'linux', 'darwin'] as const)('never hides an app on %s that cannot be reached', (platform) => {
    for (const tray of [true, false]) {
      for (const closeToTray of [true, false, null]) {
        const place = desktop(platform, tray);
        const staysAlive = closesToTray({ closeToTray }, place) || !endsWithWindows({ closeToTray }, place);
        expect(staysAlive && !tray && platform !== 'darwin').toBe(false);
      }
    }
  });
});

describe('starting hidden', () => {
  it.each([
    ['does not happen by default', desktop('win32'), false, null, BY_HAND, false],
    ['happens on Windows with its visible tray', desktop('win32'), true, null, BY_HAND, true],
    ['does not happen on Windows without a tray', desktop('win32', false), true, null, BY_HAND, false],
    ['happens on macOS with the dock', desktop('darwin', false), true, null, BY_HAND, true],
    ['does not happen on Linux, where the tray may be invisible', desktop('linux'), true, null, BY_HAND, false],
    ['happens on Linux if the user has seen the tray icon', desktop('linux'), true, true, BY_HAND, true],
    [
      'happens on Linux at login, because starting it again shows the window',
      desktop('linux', false),
      true,
      null,
      AT_LOGIN,
      true,
    ],
    ['happens with the argument', desktop('linux', false), false, null, AT_LOGIN, true],
    ['happens on macOS at login', desktop('darwin'), true, null, { hiddenArgument: false, openedAtLogin: true }, true],
    [
      'does not happen on macOS at login by default',
      desktop('darwin'),
      false,
      null,
      { hiddenArgument: false, openedAtLogin: true },
      false,
    ],
  ])('%s', (_what, place, startHidden, closeToTray, start, hidden) => {
    expect(startsHidden({ startHidden, closeToTray }, place, start)).toBe(hidden);
  });
});

describe('launching at login', () => {
  it.each(['win32', 'darwin', 'linux'] as const)('is available on %s for a packaged app only', (platform) => {
    expect(canLaunchAtLogin(platform, true)).toBe(true);
    expect(canLaunchAtLogin(platform, false)).toBe(false);
  });

  it('is not available on other systems', () => {
    expect(canLaunchAtLogin('freebsd', true)).toBe(false);
  });

  it.each([
    ['adds a missing item', false, 'not-registered', true, true],
    ['removes an unwanted item', true, 'enabled', false, true],
    ['keeps a correct item', true, 'enabled', true, false],
    ['adds no unwanted item', false, 'not-registered', false, false],
    ['keeps an item that the user has yet to approve', false, 'requires-approval', true, false],
  ] as const)('%s at the start', (_what, openAtLogin, status, launchAtLogin, corrects) => {
    expect(correctsLoginItem({ openAtLogin, status }, { launchAtLogin })).toBe(corrects);
  });
});
