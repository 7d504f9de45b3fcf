import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron';
import type { Counts } from '../../contract/model/item.ts';
import type { SyncStatus } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Commands } from '../commands.ts';
import { TRAY_FOLDER } from '../paths.ts';
import { m } from '../../common/i18n/messages.ts';
import { isModelList } from '../../contract/model/resource.ts';
import { shortTime } from '../../common/time-text.ts';

export interface TrayModel {
  settings: Settings;
  counts: Counts | null;
  sync: SyncStatus | null;
  broken: boolean;
}

export function initialTrayModel(settings: Settings): TrayModel {
  return { settings, counts: null, sync: null, broken: false };
}

export function watchTrayModel(wire: Wire, settings: Settings, show: (trayModel: TrayModel) => void): void {
  let trayModel = initialTrayModel(settings);
  const change = (members: Partial<TrayModel>): void => {
    trayModel = { ...trayModel, ...members };
    show(trayModel);
  };
  wire.on('settings.changed', (changed) => change({ settings: changed }));
  wire.on('counts.changed', (counts) => change({ counts }));
  wire.on('sync.changed', (sync) => change({ sync }));
  wire.on('data.replaced', () => void read(() => true));
  change({});
  // Values from an event in the meantime are newer.
  void read((name) => trayModel[name] === null);

  async function read(isWanted: (name: 'counts' | 'sync') => boolean): Promise<void> {
    const [counts, sync] = await Promise.all([wire.call('counts.get', {}), wire.call('sync.status', {})]);
    if (counts.ok && isWanted('counts')) change({ counts: counts.value });
    if (sync.ok && isWanted('sync')) change({ sync: sync.value });
    if (!counts.ok && !sync.ok) change({ broken: true });
  }
}

export function unreadOf({ counts, sync }: Pick<TrayModel, 'counts' | 'sync'>): number {
  return sync?.selectedComplete ? (counts?.selected.unread ?? 0) : 0;
}

interface TrayPorts {
  platform: NodeJS.Platform;
  desktop: string;
  clock: Pick<Clock, 'after'>;
  menuContext(): MenuContext;
  commands: Commands;
  log: Log;
}

const UPDATE_MS = 15 * 60_000;

/** Call it before the app sets its theme. */
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
  readonly #tray: Tray;
  #trayModel: TrayModel;
  #darkTheme: boolean;
  /** For comparison: on Linux a new menu closes an open one, and a tool tip sets the menu again. */
  #image: string;
  #toolTip = '';
  #menu = '';

  constructor(ports: TrayPorts, first: TrayModel) {
    this.#ports = ports;
    this.#trayModel = first;
    this.#darkTheme = nativeTheme.shouldUseDarkColors;
    this.#image = this.#imageFile();
    this.#tray = new Tray(this.#image);
    // On macOS, a click opens the menu.
    if (ports.platform !== 'darwin') this.#tray.on('click', () => ports.commands.open());
    nativeTheme.on('updated', () => this.#followTheme());
    this.show(first);
    this.#scheduleUpdate();
  }

  show(trayModel: TrayModel): void {
    this.#trayModel = trayModel;
    this.#showIcon();
    const template = trayMenu(trayModel, this.#ports.menuContext(), this.#ports.commands);
    const menu = JSON.stringify(template);
    if (menu === this.#menu) return;
    this.#menu = menu;
    this.#tray.setContextMenu(Menu.buildFromTemplate(template.map((item) => this.#withReset(item))));
  }

  #showIcon(): void {
    const image = this.#imageFile();
    if (image !== this.#image) this.#tray.setImage(image);
    this.#image = image;
    const toolTip = trayToolTip(this.#trayModel, this.#ports.menuContext());
    if (toolTip !== this.#toolTip) this.#tray.setToolTip(toolTip);
    this.#toolTip = toolTip;
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
    if (nativeTheme.themeSource === 'system') this.#darkTheme = nativeTheme.shouldUseDarkColors;
    this.#showIcon();
  }

  #imageFile(): string {
    const { platform, desktop } = this.#ports;
    const darkSystem = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
    const panel: Panel = { platform, desktop, darkSystem, darkTheme: this.#darkTheme };
    const showsUnread = this.#trayModel.settings.unreadMark !== 'none' && unreadOf(this.#trayModel) > 0;
    return join(TRAY_FOLDER, trayIconFile(panel, showsUnread));
  }

  #scheduleUpdate(): void {
    this.#ports.clock.after(UPDATE_MS, () => {
      this.show(this.#trayModel);
      this.#scheduleUpdate();
    });
  }
}

export interface MenuContext {
  now: number;
  dateLocale: string;
  platform?: NodeJS.Platform;
}

const LINE: MenuItemConstructorOptions = { type: 'separator' };

export function trayMenu(
  trayModel: TrayModel,
  { now, dateLocale, platform }: MenuContext,
  commands: Commands,
): MenuItemConstructorOptions[] {
  const { quietHours } = trayModel.settings;
  const isRunning = trayModel.sync?.resources.some(({ running }) => running) ?? true;
  return [
    { id: 'state', label: syncLine(trayModel, now, dateLocale), enabled: false },
    LINE,
    { id: 'open', label: m.tray_open(), click: () => commands.open() },
    { id: 'latestDaily', label: m.tray_latest_daily(), click: () => commands.openLatestDaily() },
    {
      id: 'refresh',
      label: m.tray_refresh(),
      enabled: !isRunning && !trayModel.broken,
      click: () => commands.refresh(),
    },
    LINE,
    pauseItem(isPaused(trayModel.sync, now), commands),
    {
      id: 'quietHours',
      type: 'checkbox',
      checked: quietHours.on,
      label: m.tray_quiet_hours({ from: quietHours.from, to: quietHours.to }),
      click: () => commands.setQuietHours(!quietHours.on),
    },
    LINE,
    { id: 'settings', label: m.tray_settings(), click: () => commands.goTo({ view: 'settings' }) },
    { id: 'quit', label: platform === 'win32' ? m.menu_exit() : m.menu_quit(), click: () => commands.quit() },
  ];
}

function pauseItem(paused: boolean, commands: Commands): MenuItemConstructorOptions {
  if (paused) return { id: 'resume', label: m.tray_resume(), click: () => commands.resume() };
  return {
    id: 'pause',
    label: m.tray_pause(),
    submenu: [
      { id: 'pauseHour', label: m.tray_pause_hour(), click: () => commands.pause('hour') },
      { id: 'pauseUntilTomorrow', label: m.tray_pause_until_tomorrow(), click: () => commands.pause('untilTomorrow') },
    ],
  };
}

export function trayToolTip(trayModel: TrayModel, { now, dateLocale }: MenuContext): string {
  const unread = unreadOf(trayModel);
  const showsCount = trayModel.settings.unreadMark === 'number' && unread > 0;
  const lines = [syncLine(trayModel, now, dateLocale), ...(showsCount ? [m.unread_count({ count: unread })] : [])];
  return [m.app_name(), ...lines].join('\n');
}

export interface Panel {
  platform: NodeJS.Platform;
  desktop: string;
  darkSystem: boolean;
  darkTheme: boolean;
}

const DARK_PANELS = /\b(?:GNOME|Unity|Budgie|Pantheon)\b/i;

/** Each file also exists in double size. macOS colors images whose name ends in `Template`. */
export function trayIconFile(panel: Panel, unread: boolean): string {
  if (panel.platform === 'darwin') return unread ? 'trayUnreadTemplate.png' : 'trayTemplate.png';
  return `tray-${isDark(panel) ? 'dark' : 'light'}${unread ? '-unread' : ''}.png`;
}

function isDark({ platform, desktop, darkSystem, darkTheme }: Panel): boolean {
  if (platform !== 'linux') return darkSystem;
  return darkTheme || DARK_PANELS.test(desktop);
}

export function syncLine(
  { sync, broken }: Pick<TrayModel, 'sync' | 'broken'>,
  now: number,
  dateLocale: string,
): string {
  if (broken) return m.tray_sync_broken();
  if (!sync) return m.tray_sync_starting();
  if (sync.resources.some(({ running }) => running)) return m.sync_running();
  const time = (at: string): string => shortTime(Date.parse(at), now, dateLocale);
  const { pause, lastSuccessAt } = sync;
  if (pause && isPaused(sync, now))
    return pause.until === null ? m.sync_pause_paused() : m.sync_pause_until({ when: time(pause.until) });
  if (sync.reachable === false)
    return lastSuccessAt === null ? m.tray_sync_offline() : m.tray_sync_offline_since({ when: time(lastSuccessAt) });
  // Gateway errors do not count: the models view shows them.
  if (sync.resources.some(({ name, error }) => error !== null && !isModelList(name))) return m.sync_problem();
  return lastSuccessAt === null ? m.sync_never() : m.tray_sync_up_to_date({ when: time(lastSuccessAt) });
}

function isPaused(sync: TrayModel['sync'], now: number): boolean {
  const pause = sync?.pause ?? null;
  // No event reports the end of a pause.
  return pause !== null && (pause.until === null || Date.parse(pause.until) > now);
}
