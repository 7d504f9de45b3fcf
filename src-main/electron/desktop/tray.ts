import { join } from 'node:path';
import type { Menu, MenuItemConstructorOptions, NativeTheme, Tray } from 'electron';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Commands } from '../commands.ts';
import { unreadOf, type TrayModel } from './tray-model.ts';
import { trayIconFile, type Panel } from './tray-icon.ts';
import { trayMenu, trayToolTip, type MenuContext } from './tray-menu.ts';

type Theme = Pick<
  NativeTheme,
  'shouldUseDarkColors' | 'shouldUseDarkColorsForSystemIntegratedUI' | 'themeSource' | 'on'
>;

export interface TrayPorts {
  Tray: new (image: string) => Pick<Tray, 'on' | 'setImage' | 'setToolTip' | 'setContextMenu' | 'setTitle'>;
  Menu: Pick<typeof Menu, 'buildFromTemplate'>;
  theme: Theme;
  platform: NodeJS.Platform;
  /** `XDG_CURRENT_DESKTOP`. */
  desktop: string;
  folder: string;
  clock: Pick<Clock, 'after'>;
  menuContext(trayModel: TrayModel): MenuContext;
  commands: Commands;
  log: Log;
}

/** How often the menu is updated, because times such as "today" change. */
const UPDATE_MS = 15 * 60_000;

/** Creates the tray icon, or returns null if there is no tray. Call it before the app sets its theme. */
export function openTray(ports: TrayPorts, first: TrayModel): TrayIcon | null {
  try {
    return new TrayIcon(ports, first);
  } catch (error) {
    ports.log('warn', 'No system tray: closing the window quits', { reason: String(error) });
    return null;
  }
}

export class TrayIcon {
  readonly #ports: TrayPorts;
  readonly #tray: InstanceType<TrayPorts['Tray']>;
  #trayModel: TrayModel;
  #darkTheme: boolean;
  #image: string;
  /** The current menu, for comparison: on Linux a new menu closes an open one. */
  #menu = '';

  constructor(ports: TrayPorts, first: TrayModel) {
    this.#ports = ports;
    this.#trayModel = first;
    this.#darkTheme = ports.theme.shouldUseDarkColors;
    this.#image = this.#imageFile();
    this.#tray = new ports.Tray(this.#image);
    // On macOS, a click opens the menu.
    if (ports.platform !== 'darwin') this.#tray.on('click', () => ports.commands.open());
    ports.theme.on('updated', () => this.#followTheme());
    this.show(first);
    this.#scheduleUpdate();
  }

  show(trayModel: TrayModel): void {
    this.#trayModel = trayModel;
    this.#showIcon();
    const menuContext = this.#ports.menuContext(trayModel);
    const template = trayMenu(trayModel, menuContext, this.#ports.commands);
    const menu = JSON.stringify(template);
    if (menu === this.#menu) return;
    this.#menu = menu;
    this.#tray.setContextMenu(this.#ports.Menu.buildFromTemplate(template.map((item) => this.#withReset(item))));
  }

  #showIcon(): void {
    const image = this.#imageFile();
    if (image !== this.#image) this.#tray.setImage(image);
    this.#image = image;
    this.#tray.setToolTip(trayToolTip(this.#trayModel, this.#ports.menuContext(this.#trayModel)));
    if (this.#ports.platform !== 'darwin') return;
    const unread = unreadOf(this.#trayModel);
    const isWanted = this.#trayModel.settings.unreadMark === 'number' && unread > 0;
    this.#tray.setTitle(isWanted ? String(unread) : '', { fontType: 'monospacedDigit' });
  }

  /** The system toggles the check mark on click. It is reset here, in case the command fails. */
  #withReset(item: MenuItemConstructorOptions): MenuItemConstructorOptions {
    const { click } = item;
    if (item.type !== 'checkbox' || !click) return item;
    return {
      ...item,
      click: (...args) => {
        click(...args);
        this.#menu = '';
        this.show(this.#trayModel);
      },
    };
  }

  /** While the app overrides the theme, the desktop's is unknown; the last known one is used. */
  #followTheme(): void {
    const { theme } = this.#ports;
    if (theme.themeSource === 'system') this.#darkTheme = theme.shouldUseDarkColors;
    this.#showIcon();
  }

  #imageFile(): string {
    const { platform, desktop, folder, theme } = this.#ports;
    const darkSystem = theme.shouldUseDarkColorsForSystemIntegratedUI;
    const panel: Panel = { platform, desktop, darkSystem, darkTheme: this.#darkTheme };
    const showsUnread = this.#trayModel.settings.unreadMark !== 'none' && unreadOf(this.#trayModel) > 0;
    return join(folder, trayIconFile(panel, showsUnread));
  }

  #scheduleUpdate(): void {
    this.#ports.clock.after(UPDATE_MS, () => {
      this.show(this.#trayModel);
      this.#scheduleUpdate();
    });
  }
}
