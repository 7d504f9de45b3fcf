import type { MenuItemConstructorOptions } from 'electron';
import type { AppCommand } from '../../contract/events.ts';
import type { HostWords } from '../../words/words.ts';
import type { Commands } from '../commands.ts';

/** The actions of menu items that have no system role. */
export interface MenuActions extends Pick<Commands, 'goTo' | 'openLatestDaily' | 'refresh'> {
  /** Sends a command to the page. */
  sendCommand(command: AppCommand): void;
  print(): void;
  savePdf(): void;
  showDataFolder(): void;
}

export interface MenuPlan {
  platform: NodeJS.Platform;
  development: boolean;
  words: HostWords;
}

type Item = MenuItemConstructorOptions;
type Words = HostWords['menu'];

const LINE: Item = { type: 'separator' };
/** In the order of the sidebar. */
const VIEWS = ['feed', 'hotTopics', 'stories', 'archive', 'models'] as const satisfies readonly AppCommand[];

/**
 * The native menu: system roles with their usual shortcuts for editing, windows and quitting, and Broadsheet's own commands.
 * These shortcuts work even if nothing in the page has the focus.
 */
export function menuTemplate({ platform, development, words }: MenuPlan, actions: MenuActions): Item[] {
  const { menu } = words;
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [appMenu(words, actions)] : []),
    { label: menu.file, submenu: fileMenu(menu, actions, isMac) },
    { label: menu.edit, submenu: editMenu(menu, actions) },
    { label: menu.view, submenu: viewMenu(menu, actions, development) },
    { label: menu.go, submenu: goMenu(menu, actions, isMac) },
    { role: 'windowMenu', label: menu.window, submenu: windowMenu(menu, isMac) },
    { role: 'help', label: menu.help, submenu: helpMenu(menu, actions, isMac) },
  ];
}

function appMenu({ appName, menu }: HostWords, actions: MenuActions): Item {
  return {
    label: appName,
    submenu: [
      { role: 'about', label: menu.about },
      LINE,
      settings(menu, actions),
      LINE,
      { role: 'services', label: menu.services },
      LINE,
      { role: 'hide', label: menu.hide },
      { role: 'hideOthers', label: menu.hideOthers },
      { role: 'unhide', label: menu.showAll },
      LINE,
      { role: 'quit', label: menu.quit },
    ],
  };
}

function fileMenu(menu: Words, actions: MenuActions, isMac: boolean): Item[] {
  return [
    { id: 'refresh', label: menu.refresh, accelerator: 'CmdOrCtrl+R', click: () => actions.refresh() },
    LINE,
    { id: 'export', label: menu.export, accelerator: 'CmdOrCtrl+Shift+E', click: () => actions.sendCommand('export') },
    { id: 'savePdf', label: menu.savePdf, click: () => actions.savePdf() },
    { id: 'print', label: menu.print, accelerator: 'CmdOrCtrl+P', click: () => actions.print() },
    LINE,
    ...(isMac ? [] : [settings(menu, actions), LINE]),
    { role: 'close', label: menu.closeWindow },
    ...(isMac ? [] : [{ role: 'quit', label: menu.quit } as const]),
  ];
}

function settings(menu: Words, actions: MenuActions): Item {
  return {
    id: 'settings',
    label: menu.settings,
    accelerator: 'CmdOrCtrl+,',
    click: () => actions.goTo({ view: 'settings' }),
  };
}

function editMenu(menu: Words, actions: MenuActions): Item[] {
  return [
    { role: 'undo', label: menu.undo },
    { role: 'redo', label: menu.redo },
    LINE,
    { role: 'cut', label: menu.cut },
    { role: 'copy', label: menu.copy },
    { role: 'paste', label: menu.paste },
    { role: 'delete', label: menu.delete },
    { role: 'selectAll', label: menu.selectAll },
    LINE,
    { id: 'search', label: menu.search, accelerator: 'CmdOrCtrl+F', click: () => actions.sendCommand('search') },
  ];
}

function viewMenu(menu: Words, actions: MenuActions, development: boolean): Item[] {
  const labels = { ...menu, feed: menu.news };
  return [
    ...VIEWS.map((view, index) => ({
      id: view,
      label: labels[view],
      accelerator: `CmdOrCtrl+${index + 1}`,
      click: () => actions.sendCommand(view),
    })),
    LINE,
    { role: 'resetZoom', label: menu.actualSize },
    { role: 'zoomIn', label: menu.zoomIn },
    { role: 'zoomOut', label: menu.zoomOut },
    LINE,
    { role: 'togglefullscreen', label: menu.fullScreen },
    // Not `reload`: Refresh uses its shortcut.
    ...(development ? ([LINE, { role: 'forceReload' }, { role: 'toggleDevTools' }] as const) : []),
  ];
}

function goMenu(menu: Words, actions: MenuActions, isMac: boolean): Item[] {
  return [
    {
      id: 'back',
      label: menu.back,
      accelerator: isMac ? 'Cmd+[' : 'Alt+Left',
      click: () => actions.sendCommand('back'),
    },
    LINE,
    {
      id: 'latestDaily',
      label: menu.latestDaily,
      accelerator: 'CmdOrCtrl+D',
      click: () => actions.openLatestDaily(),
    },
    { id: 'modelChanges', label: menu.modelChanges, click: () => actions.goTo({ view: 'modelChanges' }) },
    { id: 'notifications', label: menu.notices, click: () => actions.goTo({ view: 'notifications' }) },
  ];
}

function windowMenu(menu: Words, isMac: boolean): Item[] {
  return [
    { role: 'minimize', label: menu.minimize },
    { role: 'zoom', label: menu.zoomWindow },
    ...(isMac ? ([LINE, { role: 'front', label: menu.allToFront }] as const) : []),
  ];
}

function helpMenu(menu: Words, actions: MenuActions, isMac: boolean): Item[] {
  return [
    {
      id: 'shortcuts',
      label: menu.shortcuts,
      accelerator: 'CmdOrCtrl+/',
      click: () => actions.sendCommand('shortcuts'),
    },
    LINE,
    { id: 'dataHealth', label: menu.dataHealth, click: () => actions.sendCommand('dataHealth') },
    { id: 'showDataFolder', label: menu.showDataFolder, click: () => actions.showDataFolder() },
    ...(isMac ? [] : ([LINE, { role: 'about', label: menu.about }] as const)),
  ];
}
