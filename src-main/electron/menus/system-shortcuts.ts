import type { App, Menu, MenuItemConstructorOptions, Task } from 'electron';
import type { HostWords } from '../../words/words.ts';
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
export function offerShortcuts(
  { app, Menu, platform, isPackaged, executable, commands }: ShortcutPorts,
  words: HostWords,
) {
  if (platform === 'darwin') app.dock?.setMenu(Menu.buildFromTemplate(dockMenu(words.tray, commands)));
  // In development the program would be plain Electron.
  if (platform === 'win32' && isPackaged) app.setUserTasks(tasks(words.tray, executable));
}

function dockMenu(words: HostWords['tray'], commands: ShortcutPorts['commands']): MenuItemConstructorOptions[] {
  return [
    { id: 'open', label: words.open, click: () => commands.open() },
    { id: 'latestDaily', label: words.latestDaily, click: () => commands.openLatestDaily() },
    { id: 'refresh', label: words.refresh, click: () => commands.refresh() },
  ];
}

function tasks(words: HostWords['tray'], program: string): Task[] {
  const task = (title: string, args: string): Task => ({
    program,
    arguments: args,
    iconPath: program,
    iconIndex: 0,
    title,
    description: title,
  });
  return [
    task(words.open, ''),
    task(words.latestDaily, TASK_ARGUMENTS.latestDaily),
    task(words.refresh, TASK_ARGUMENTS.refresh),
  ];
}
