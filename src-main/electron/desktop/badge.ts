import { join } from 'node:path';
import { app, BrowserWindow, nativeImage } from 'electron';
import { m } from '../../common/i18n/messages.ts';
import type { Settings } from '../../contract/settings.ts';
import { TRAY_FOLDER } from '../paths.ts';
import { unreadOf, type TrayModel } from './tray.ts';

type Badge = 'none' | 'dot' | number;

export function badgeOf(mark: Settings['unreadMark'], unread: number): Badge {
  if (mark === 'none' || unread === 0) return 'none';
  return mark === 'dot' ? 'dot' : unread;
}

/** Shows the unread count: macOS supports any text, Linux numbers, Windows a small overlay icon. */
export class AppBadge {
  readonly #platform: NodeJS.Platform;
  #badge: Badge = 'none';

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
    if (platform !== 'win32') return;
    // A hidden window loses its taskbar button, and the overlay with it.
    app.on('browser-window-created', (_event, window) => {
      window.on('show', () => this.#cover(window));
    });
  }

  show(trayModel: TrayModel): void {
    const badge = badgeOf(trayModel.settings.unreadMark, unreadOf(trayModel));
    if (badge === this.#badge) return;
    this.#badge = badge;
    if (this.#platform === 'win32') for (const window of BrowserWindow.getAllWindows()) this.#cover(window);
    else if (this.#platform === 'darwin')
      app.dock?.setBadge(badge === 'none' ? '' : badge === 'dot' ? '•' : String(badge));
    else app.setBadgeCount(typeof badge === 'number' ? badge : 0);
  }

  #cover(window: Pick<BrowserWindow, 'setOverlayIcon'>): void {
    const badge = this.#badge;
    if (badge === 'none') return window.setOverlayIcon(null, '');
    const dot = nativeImage.createFromPath(join(TRAY_FOLDER, 'overlay.png'));
    window.setOverlayIcon(dot, typeof badge === 'number' ? m.unread_count({ count: badge }) : m.tray_is_unread());
  }
}
