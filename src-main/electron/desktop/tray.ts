import { join } from 'node:path';
import type { Menu, MenuItemConstructorOptions, NativeTheme, Tray } from 'electron';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Commands } from '../commands.ts';
import { unreadOf, type TrayModel } from './tray-model.ts';
import { trayIconFile, type Panel } from './tray-icon.ts';
import { trayMenu, trayToolTip, type Telling } from './tray-menu.ts';

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
  /** Where the icons are. */
  folder: string;
  clock: Pick<Clock, 'after'>;
  telling(trayModel: TrayModel): Telling;
  commands: Commands;
  log: Log;
}

/** So often the menu looks at the clock: what was said of today may be yesterday's by now. */
const LOOK_MS = 15 * 60_000;

/** The icon in the system's tray, or null where there is none. To be opened before the app chooses a theme of its own. */
export function openTray(ports: TrayPorts, first: TrayModel): TrayIcon | null {
  try {
    return new TrayIcon(ports, first);
  } catch (error) {
    ports.log('warn', 'There is no tray here: closing the window quits', { reason: String(error) });
    return null;
  }
}

export class TrayIcon {
  readonly #ports: TrayPorts;
  readonly #tray: InstanceType<TrayPorts['Tray']>;
  #trayModel: TrayModel;
  #darkTheme: boolean;
  #image: string;
  /** The menu as it is shown, for a comparison: on Linux a new one closes one that is open. */
  #menu = '';

  constructor(ports: TrayPorts, first: TrayModel) {
    this.#ports = ports;
    this.#trayModel = first;
    this.#darkTheme = ports.theme.shouldUseDarkColors;
    this.#image = this.#imageFile();
    this.#tray = new ports.Tray(this.#image);
    // On macOS a click opens the menu.
    if (ports.platform !== 'darwin') this.#tray.on('click', () => ports.commands.open());
    ports.theme.on('updated', () => this.#followTheme());
    this.show(first);
    this.#lookAgain();
  }

  show(trayModel: TrayModel): void {
    this.#trayModel = trayModel;
    this.#showIcon();
    const telling = this.#ports.telling(trayModel);
    const template = trayMenu(trayModel, telling, this.#ports.commands);
    const menu = JSON.stringify(template);
    if (menu === this.#menu) return;
    this.#menu = menu;
    this.#tray.setContextMenu(this.#ports.Menu.buildFromTemplate(template.map((item) => this.#followed(item))));
  }

  #showIcon(): void {
    const image = this.#imageFile();
    if (image !== this.#image) this.#tray.setImage(image);
    this.#image = image;
    this.#tray.setToolTip(trayToolTip(this.#trayModel, this.#ports.telling(this.#trayModel)));
    if (this.#ports.platform !== 'darwin') return;
    const unread = unreadOf(this.#trayModel);
    const isWanted = this.#trayModel.settings.unreadMark === 'number' && unread > 0;
    this.#tray.setTitle(isWanted ? String(unread) : '', { fontType: 'monospacedDigit' });
  }

  /** A tick that the system sets by itself at a click would stay if nothing came of the click. */
  #followed(item: MenuItemConstructorOptions): MenuItemConstructorOptions {
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

  /** While the app has a theme of its own, nothing tells what the desktop's is; the last that was known is taken. */
  #followTheme(): void {
    const { theme } = this.#ports;
    if (theme.themeSource === 'system') this.#darkTheme = theme.shouldUseDarkColors;
    this.#showIcon();
  }

  #imageFile(): string {
    const { platform, desktop, folder, theme } = this.#ports;
    const darkSystem = theme.shouldUseDarkColorsForSystemIntegratedUI;
    const panel: Panel = { platform, desktop, darkSystem, darkTheme: this.#darkTheme };
    const isMarked = this.#trayModel.settings.unreadMark !== 'none' && unreadOf(this.#trayModel) > 0;
    return join(folder, trayIconFile(panel, isMarked));
  }

  #lookAgain(): void {
    this.#ports.clock.after(LOOK_MS, () => {
      this.show(this.#trayModel);
      this.#lookAgain();
    });
  }
}
