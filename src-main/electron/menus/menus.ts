import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  shell,
  type MenuItemConstructorOptions,
  type Task,
} from 'electron';
import { m } from '../../common/i18n/messages.ts';
import { toFailure } from '../../contract/errors.ts';
import type { Log, SettingsStore } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Commands } from '../commands.ts';
import { contextMenuTemplate, menuTemplate, type MenuActions } from './menu-template.ts';
import { openLink } from '../security/security.ts';
import { ICON_FILE } from '../paths.ts';
import { pdfName, savePdf } from '../windows/save-pdf.ts';
import { sendCommand, type MainWindow, type OpenWindow } from '../windows/windows.ts';
import { TASK_ARGUMENTS } from '../activation.ts';

interface MenusPorts {
  settings: SettingsStore;
  wire: Wire;
  commands: Commands;
  main: MainWindow;
  log: Log;
  dataFolder: string;
}

const { platform } = process;

export function installMenus(ports: MenusPorts): void {
  const { settings, wire, log } = ports;
  applyMenus(ports);
  let { language } = settings.get();
  wire.on('settings.changed', (changed) => {
    if (changed.language === language) return;
    ({ language } = changed);
    applyMenus(ports);
  });
  app.on('browser-window-created', (_event, window) => offerContextMenu(window, log));
}

function applyMenus(ports: MenusPorts): void {
  const { commands } = ports;
  const plan = { platform, development: !app.isPackaged };
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(plan, actionsOf(ports))));
  app.setAboutPanelOptions({
    applicationName: m.app_name(),
    applicationVersion: app.getVersion(),
    iconPath: ICON_FILE,
    // Linux shows no credits.
    ...(platform === 'linux' ? { copyright: m.settings_about_ai() } : { credits: m.settings_about_ai() }),
  });
  if (platform === 'darwin') app.dock?.setMenu(Menu.buildFromTemplate(dockMenu(commands)));
  // In development the program would be plain Electron.
  if (platform === 'win32' && app.isPackaged) app.setUserTasks(tasks(process.execPath));
}

function actionsOf(ports: MenusPorts): MenuActions {
  const { wire, commands, main, log } = ports;
  /** No window has the focus while another program is in front. */
  const front = (): OpenWindow | null => BrowserWindow.getFocusedWindow() ?? main.window;
  return {
    goTo: (target) => commands.goTo(target),
    openLatestDaily: () => commands.openLatestDaily(),
    refresh: () => commands.refresh(),
    sendCommand: (command) => {
      const window = front();
      // A report in its own window is exported from there. All other commands go to the main window.
      if (command === 'export' && window) sendCommand(window, command);
      else main.sendCommand(command);
    },
    print: () => print(front(), log),
    savePdf: () => void saveFront(front(), m.dialog_pdf_failed(), ports),
    showDataFolder: () => void wire.call('data.showFolder', {}),
  };
}

function print(window: OpenWindow | null, log: Log): void {
  window?.webContents.print({}, (isDone, reason) => {
    // Also called if the user cancels.
    if (!isDone) log('info', 'Page not printed', { reason });
  });
}

async function saveFront(
  window: OpenWindow | null,
  failed: string,
  { log, dataFolder }: Pick<MenusPorts, 'log' | 'dataFolder'>,
): Promise<void> {
  if (!window || window.isDestroyed()) return;
  try {
    await savePdf(window, { name: pdfName(window.getTitle()), dataFolder });
  } catch (error) {
    log('warn', 'Could not save the page', { reason: String(error) });
    // Closed while printing: there is nothing left to save, and no window to say so.
    if (window.isDestroyed()) return;
    await dialog.showMessageBox(window, { type: 'error', message: failed, detail: toFailure(error).message });
  }
}

function offerContextMenu(window: OpenWindow, log: Log): void {
  const contents = window.webContents;
  contents.on('context-menu', (_event, clicked) => {
    const template = contextMenuTemplate(
      clicked,
      { platform },
      {
        copy: (text) => void clipboard.writeText(text),
        openLink: (url) => {
          openLink(shell, url).catch(() => log('warn', 'Could not open a link'));
        },
        lookUp: () => contents.showDefinitionForSelection(),
      },
    );
    if (template.length === 0) return;
    Menu.buildFromTemplate(template).popup({ window, sourceType: clicked.menuSourceType });
  });
}

function dockMenu(commands: Commands): MenuItemConstructorOptions[] {
  return [
    { id: 'open', label: m.tray_open(), click: () => commands.open() },
    { id: 'latestDaily', label: m.tray_latest_daily(), click: () => commands.openLatestDaily() },
    { id: 'refresh', label: m.tray_refresh(), click: () => commands.refresh() },
  ];
}

function tasks(program: string): Task[] {
  const task = (title: string, args: string): Task => ({
    program,
    arguments: args,
    iconPath: program,
    iconIndex: 0,
    title,
    description: title,
  });
  return [
    task(m.tray_open(), ''),
    task(m.tray_latest_daily(), TASK_ARGUMENTS.latestDaily),
    task(m.tray_refresh(), TASK_ARGUMENTS.refresh),
  ];
}
