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
    ['hides it on Windows, by custom', desk('win32'), null, true],
    ['closes it on Windows where that is wished', desk('win32'), false, false],
    ['closes it on Windows without a tray, whatever is wished', desk('win32', false), true, false],
    ['closes it on Linux, where a tray may be seen by nobody', desk('linux'), null, false],
    ['hides it on Linux for a reader who wishes so, and has seen the icon', desk('linux'), true, true],
    ['closes it on Linux where no tray could be made', desk('linux', false), true, false],
    ['closes it on macOS, by custom', desk('darwin'), null, false],
    ['closes it on macOS whatever is wished, for the dock brings it back', desk('darwin'), true, false],
  ])('%s', (_what, place, closeToTray, hides) => {
    expect(closesToTray({ closeToTray }, place)).toBe(hides);
  });

  it.each([
    ['ends the app on Linux', desk('linux'), null, true],
    ['ends it on Windows without a tray', desk('win32', false), null, true],
    ['leaves it in the tray on Windows', desk('win32'), null, false],
    ['leaves it in the tray on Linux where that is wished', desk('linux'), true, false],
    ['never ends it on macOS', desk('darwin', false), false, false],
  ])('%s, when it was the last one', (_what, place, closeToTray, ends) => {
    expect(endsWithWindows({ closeToTray }, place)).toBe(ends);
  });

  it.each(['win32', 'linux', 'darwin'] as const)('never leaves an app on %s that nothing leads to', (platform) => {
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
    ['is not done where nobody wishes it', desk('win32'), false, null, BY_HAND, false],
    ['is done on Windows, where the tray is seen', desk('win32'), true, null, BY_HAND, true],
    ['is not done on Windows by hand without a tray', desk('win32', false), true, null, BY_HAND, false],
    ['is done on macOS, where the dock is', desk('darwin', false), true, null, BY_HAND, true],
    ['is not done on Linux by hand, where no tray may be seen', desk('linux'), true, null, BY_HAND, false],
    ['is done on Linux by hand for a reader who has seen the tray', desk('linux'), true, true, BY_HAND, true],
    ['is done on Linux at login: a start by hand shows the window', desk('linux', false), true, null, AT_LOGIN, true],
    ['is done where an argument asks for it', desk('linux', false), false, null, AT_LOGIN, true],
    [
      'is done on macOS when the login opened it',
      desk('darwin'),
      true,
      null,
      { hiddenArgument: false, openedAtLogin: true },
      true,
    ],
    [
      'is not done on macOS at login where nobody wishes it',
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
  it.each(['win32', 'darwin', 'linux'] as const)('is there on %s for a packaged app only', (platform) => {
    expect(canLaunchAtLogin(platform, true)).toBe(true);
    expect(canLaunchAtLogin(platform, false)).toBe(false);
  });

  it('is not there on a system that nobody wrote it for', () => {
    expect(canLaunchAtLogin('freebsd', true)).toBe(false);
  });

  it('passes on that it is to start hidden', () => {
    expect(loginArguments({ startHidden: true })).toEqual(['--hidden']);
    expect(loginArguments({ startHidden: false })).toEqual([]);
  });

  it.each([
    ['adds one that is missing', false, 'not-registered', true, true],
    ['removes one that is not wished', true, 'enabled', false, true],
    ['leaves one alone that is right', true, 'enabled', true, false],
    ['leaves none alone where none is wished', false, 'not-registered', false, false],
    ['leaves one alone that the reader has yet to approve of', false, 'requires-approval', true, false],
  ] as const)('%s at the start', (_what, openAtLogin, status, launchAtLogin, corrects) => {
    expect(correctsLoginItem({ openAtLogin, status }, { launchAtLogin })).toBe(corrects);
  });
});
