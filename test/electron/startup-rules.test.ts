import { describe, expect, it } from 'vitest';
import {
  canLaunchAtLogin,
  closesToTray,
  correctsLoginItem,
  endsWithWindows,
  loginArguments,
  startsHidden,
  type DesktopSupport,
} from '../../src-main/electron/startup-rules.ts';

const desk = (platform: NodeJS.Platform, tray = true): DesktopSupport => ({ platform, tray });
const BY_HAND = { hiddenArgument: false, openedAtLogin: false };
const AT_LOGIN = { hiddenArgument: true, openedAtLogin: false };

describe('closing the window', () => {
  it.each([
    ['hides it on Windows by default', desk('win32'), null, true],
    ['closes it on Windows if turned off', desk('win32'), false, false],
    ['closes it on Windows without a tray, whatever the setting', desk('win32', false), true, false],
    ['closes it on Linux, where the tray may be invisible', desk('linux'), null, false],
    ['hides it on Linux if turned on, because the user has seen the icon', desk('linux'), true, true],
    ['closes it on Linux without a tray', desk('linux', false), true, false],
    ['closes it on macOS by default', desk('darwin'), null, false],
    ['closes it on macOS whatever the setting, because of the dock', desk('darwin'), true, false],
  ])('%s', (_what, place, closeToTray, hides) => {
    expect(closesToTray({ closeToTray }, place)).toBe(hides);
  });

  it.each([
    ['quits the app on Linux', desk('linux'), null, true],
    ['quits it on Windows without a tray', desk('win32', false), null, true],
    ['leaves it in the tray on Windows', desk('win32'), null, false],
    ['leaves it in the tray on Linux if turned on', desk('linux'), true, false],
    ['never quits it on macOS', desk('darwin', false), false, false],
  ])('%s, when it was the last window', (_what, place, closeToTray, ends) => {
    expect(endsWithWindows({ closeToTray }, place)).toBe(ends);
  });

  it.each(['win32', 'linux', 'darwin'] as const)('never hides an app on %s that cannot be reached', (platform) => {
    for (const tray of [true, false]) {
      for (const closeToTray of [true, false, null]) {
        const place = desk(platform, tray);
        const staysAlive = closesToTray({ closeToTray }, place) || !endsWithWindows({ closeToTray }, place);
        expect(staysAlive && !tray && platform !== 'darwin').toBe(false);
      }
    }
  });
});

describe('starting hidden', () => {
  it.each([
    ['does not happen by default', desk('win32'), false, null, BY_HAND, false],
    ['happens on Windows with its visible tray', desk('win32'), true, null, BY_HAND, true],
    ['does not happen on Windows without a tray', desk('win32', false), true, null, BY_HAND, false],
    ['happens on macOS with the dock', desk('darwin', false), true, null, BY_HAND, true],
    ['does not happen on Linux, where the tray may be invisible', desk('linux'), true, null, BY_HAND, false],
    ['happens on Linux if the user has seen the tray icon', desk('linux'), true, true, BY_HAND, true],
    [
      'happens on Linux at login, because starting it again shows the window',
      desk('linux', false),
      true,
      null,
      AT_LOGIN,
      true,
    ],
    ['happens with the argument', desk('linux', false), false, null, AT_LOGIN, true],
    ['happens on macOS at login', desk('darwin'), true, null, { hiddenArgument: false, openedAtLogin: true }, true],
    [
      'does not happen on macOS at login by default',
      desk('darwin'),
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

  it('passes on the option to start hidden', () => {
    expect(loginArguments({ startHidden: true })).toEqual(['--hidden']);
    expect(loginArguments({ startHidden: false })).toEqual([]);
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
