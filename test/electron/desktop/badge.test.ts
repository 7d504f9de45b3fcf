import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { badgeOf, AppBadge } from '../../../src-main/electron/desktop/badge.ts';
import { TRAY_FOLDER } from '../../../src-main/electron/paths.ts';
import { countsOf, trayModelOf, statusOf } from '../support/desktop.ts';
import { app, becomeReady, BrowserWindow } from '../fake/electron.ts';
import { record } from '../fake/records.ts';

const DOT = join(TRAY_FOLDER, 'overlay.png');

beforeAll(becomeReady);

function signOn(platform: NodeJS.Platform) {
  app.removeAllListeners();
  record.badges.length = 0;
  const setBadge = (text: string): void => void record.badges.push(text);
  Object.assign(app, { dock: platform === 'darwin' ? { setBadge } : undefined });
  const sign = new AppBadge(platform);
  const show = (unread: number, unreadMark: Settings['unreadMark']): void =>
    sign.show(trayModelOf({ sync: statusOf(), counts: countsOf(unread) }, { unreadMark }));
  return { shown: record.badges, show };
}

/** A window, and what its button on the taskbar of Windows showed. */
function addWindow() {
  const overlays: string[] = [];
  const setOverlayIcon = (image: unknown, description: string): void =>
    void overlays.push(`${image === null ? '' : '•'}${description}`);
  return Object.assign(new BrowserWindow(), { overlays, setOverlayIcon });
}

describe('the unread badge', () => {
  it.each([
    ['none', 5, 'none'],
    ['dot', 0, 'none'],
    ['dot', 5, 'dot'],
    ['number', 0, 'none'],
    ['number', 5, 5],
  ] as const)('is, where %s is wanted and %i are unread, %s', (mark, unread, badge) => {
    expect(badgeOf(mark, unread)).toBe(badge);
  });

  it('is shown in the macOS dock as set', () => {
    const { shown, show } = signOn('darwin');
    show(5, 'dot');
    show(6, 'dot');
    show(6, 'number');
    show(0, 'number');
    expect(shown).toEqual(['•', '6', '']);
  });

  it('is a number or nothing on Linux, which has no dots', () => {
    const { shown, show } = signOn('linux');
    show(5, 'number');
    show(5, 'dot');
    show(4, 'dot');
    show(4, 'none');
    expect(shown).toEqual([5, 0, 0]);
  });

  it('is an overlay on every window button on Windows, with the number as its description', () => {
    const { show } = signOn('win32');
    const window = addWindow();
    show(1234, 'number');
    show(1234, 'dot');
    show(0, 'dot');
    expect(window.overlays).toEqual(['•1,234 unread', '•Unread items', '']);
  });

  it('is restored when a window is shown again, and set on a new one', () => {
    const { show } = signOn('win32');
    const first = addWindow();
    show(2, 'dot');
    first.show();
    const second = addWindow();
    second.show();
    expect(first.overlays).toEqual(['•Unread items', '•Unread items']);
    expect(second.overlays).toEqual(['•Unread items']);
  });

  it('has an icon in both sizes', () => {
    expect(existsSync(DOT)).toBe(true);
    expect(existsSync(DOT.replace('.png', '@2x.png'))).toBe(true);
  });
});
