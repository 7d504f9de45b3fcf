import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { badgeOf, AppBadge, type BadgePorts } from '../../../src-main/electron/desktop/badge.ts';
import { TRAY_FOLDER } from '../../../src-main/electron/paths.ts';
import { countsOf, trayModelOf, statusOf } from '../support/desktop.ts';
import { nativeImage } from '../fake/electron.ts';

const DOT = join(TRAY_FOLDER, 'overlay.png');

/** The badges shown by each system. */
function signOn(platform: NodeJS.Platform) {
  const shown: (number | string)[] = [];
  const app = Object.assign(new EventEmitter(), {
    setBadgeCount: (count = 0) => shown.push(count) > 0,
    dock: { setBadge: (text: string) => void shown.push(text) },
  });
  const windows: { overlays: string[] }[] = [];
  const addWindow = () => {
    const overlays: string[] = [];
    const setOverlayIcon = (image: unknown, description: string): void =>
      void overlays.push(`${image === null ? '' : '•'}${description}`);
    const window = Object.assign(new EventEmitter(), { overlays, setOverlayIcon });
    windows.push(window);
    app.emit('browser-window-created', {}, window);
    return window;
  };
  const sign = new AppBadge({
    app: app as unknown as BadgePorts['app'],
    windows: () => windows as never,
    platform,
    dot: () => nativeImage.createFromPath(DOT),
  });
  const show = (unread: number, unreadMark: Settings['unreadMark']): void =>
    sign.show(trayModelOf({ sync: statusOf(), counts: countsOf(unread) }, { unreadMark }));
  return { shown, show, addWindow };
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
    const { show, addWindow } = signOn('win32');
    const window = addWindow();
    show(1234, 'number');
    show(1234, 'dot');
    show(0, 'dot');
    expect(window.overlays).toEqual(['•1,234 unread', '•Unread items', '']);
  });

  it('is restored when a window is shown again, and set on a new one', () => {
    const { show, addWindow } = signOn('win32');
    const first = addWindow();
    show(2, 'dot');
    first.emit('show');
    const second = addWindow();
    second.emit('show');
    expect(first.overlays).toEqual(['•Unread items', '•Unread items']);
    expect(second.overlays).toEqual(['•Unread items']);
  });

  it('has an icon in both sizes', () => {
    expect(existsSync(DOT)).toBe(true);
    expect(existsSync(DOT.replace('.png', '@2x.png'))).toBe(true);
  });
});
