import type { App, Menu, MenuItemConstructorOptions, Task } from 'electron';
import { m } from '../../common/i18n/messages.ts';
import type { Commands } from '../commands.ts';
import { TASK_ARGUMENTS } from '../activation/launch-arguments.ts';

interface ShortcutPorts {
  app: Pick<App, 'setUserTasks' | 'dock'>;
  Menu: Pick<typeof Menu, 'buildFromTemplate'>;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  executable: string;
  commands: Pick<Commands, 'open' | 'openLatestDaily' | 'refresh'>;
}

/** The menu of the macOS dock icon and the Windows jump list. */
export function offerShortcuts({ app, Menu, platform, isPackaged, executable, commands }: ShortcutPorts) {
  if (platform === 'darwin') app.dock?.setMenu(Menu.buildFromTemplate(dockMenu(commands)));
  // In development the program would be plain Electron.
  if (platform === 'win32' && isPackaged) app.setUserTasks(tasks(executable));
}

function dockMenu(commands: ShortcutPorts['commands']): MenuItemConstructorOptions[] {
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
