import type { MenuItemConstructorOptions, ContextMenuParams, EditFlags } from 'electron';
import { m } from '../../common/i18n/messages.ts';
import type { AppCommand } from '../../contract/events.ts';
import type { Commands } from '../commands.ts';
import { safeLink } from '../../contract/addresses.ts';

export interface MenuActions extends Pick<Commands, 'goTo' | 'openLatestDaily' | 'refresh'> {
  sendCommand(command: AppCommand): void;
  print(): void;
  savePdf(): void;
  showDataFolder(): void;
}

interface MenuPlan {
  platform: NodeJS.Platform;
  development: boolean;
}

type Item = MenuItemConstructorOptions;
const LINE: Item = { type: 'separator' };

export function menuTemplate({ platform, development }: MenuPlan, actions: MenuActions): Item[] {
  const isMac = platform === 'darwin';
  const named = (label: string, letter: string): string => (isMac ? label : withAccessKey(label, letter));
  return [
    ...(isMac ? [appMenu(actions)] : []),
    { label: named(m.menu_file(), 'F'), submenu: fileMenu(actions, platform) },
    { label: named(m.menu_edit(), 'E'), submenu: editMenu(actions) },
    { label: named(m.menu_view(), 'V'), submenu: viewMenu(actions, development) },
    { label: named(m.menu_go(), 'G'), submenu: goMenu(actions, isMac) },
    // Elsewhere the title bar has buttons for what is in there.
    ...(isMac ? [{ role: 'windowMenu', label: m.menu_window(), submenu: windowMenu() } as const] : []),
    { role: 'help', label: named(m.menu_help(), 'H'), submenu: helpMenu(actions, isMac) },
  ];
}

/** Adds the letter that opens a menu with Alt: in parentheses, as is usual in Chinese, if the name lacks it. */
function withAccessKey(label: string, letter: string): string {
  const at = label.toUpperCase().indexOf(letter);
  return at < 0 ? `${label}(&${letter})` : `${label.slice(0, at)}&${label.slice(at)}`;
}

function commandItem(actions: MenuActions, command: AppCommand, label: string, accelerator?: string): Item {
  return { id: command, label, ...(accelerator && { accelerator }), click: () => actions.sendCommand(command) };
}

function appMenu(actions: MenuActions): Item {
  return {
    label: m.app_name(),
    submenu: [
      { role: 'about', label: m.menu_about() },
      LINE,
      settings(actions),
      LINE,
      { role: 'services', label: m.menu_services() },
      LINE,
      { role: 'hide', label: m.menu_hide() },
      { role: 'hideOthers', label: m.menu_hide_others() },
      { role: 'unhide', label: m.menu_show_all() },
      LINE,
      { role: 'quit', label: m.menu_quit() },
    ],
  };
}

function fileMenu(actions: MenuActions, platform: NodeJS.Platform): Item[] {
  const isMac = platform === 'darwin';
  const quit: Item = { role: 'quit', label: platform === 'win32' ? m.menu_exit() : m.menu_quit() };
  return [
    { id: 'refresh', label: m.tray_refresh(), accelerator: 'CmdOrCtrl+R', click: () => actions.refresh() },
    LINE,
    commandItem(actions, 'export', m.menu_export(), 'CmdOrCtrl+Shift+E'),
    { id: 'savePdf', label: m.menu_save_pdf(), click: () => actions.savePdf() },
    { id: 'print', label: m.menu_print(), accelerator: 'CmdOrCtrl+P', click: () => actions.print() },
    LINE,
    ...(isMac ? [] : [settings(actions), LINE]),
    { role: 'close', label: m.menu_close_window() },
    ...(isMac ? [] : [quit]),
  ];
}

function settings(actions: MenuActions): Item {
  return {
    id: 'settings',
    label: m.tray_settings(),
    accelerator: 'CmdOrCtrl+,',
    click: () => actions.goTo({ view: 'settings' }),
  };
}

function editMenu(actions: MenuActions): Item[] {
  return [
    { role: 'undo', label: m.undo() },
    { role: 'redo', label: m.menu_redo() },
    LINE,
    { role: 'cut', label: m.menu_cut() },
    { role: 'copy', label: m.copy() },
    { role: 'paste', label: m.menu_paste() },
    { role: 'delete', label: m.menu_delete() },
    { role: 'selectAll', label: m.menu_select_all() },
    LINE,
    commandItem(actions, 'search', m.search(), 'CmdOrCtrl+F'),
    commandItem(actions, 'palette', m.menu_palette(), 'CmdOrCtrl+K'),
  ];
}

function viewMenu(actions: MenuActions, development: boolean): Item[] {
  const views: [AppCommand, label: string][] = [
    ['feed', m.menu_news()],
    ['hotTopics', m.views_topics()],
    ['archive', m.views_archive()],
    ['models', m.views_models()],
    ['sources', m.views_sources()],
  ];
  return [
    ...views.map(([view, label], index) => commandItem(actions, view, label, `CmdOrCtrl+${index + 1}`)),
    LINE,
    { role: 'resetZoom', label: m.menu_actual_size() },
    { role: 'zoomIn', label: m.menu_zoom_in() },
    { role: 'zoomOut', label: m.menu_zoom_out() },
    LINE,
    { role: 'togglefullscreen', label: m.menu_full_screen() },
    // Not `reload`: Refresh uses its shortcut.
    ...(development ? ([LINE, { role: 'forceReload' }, { role: 'toggleDevTools' }] as const) : []),
  ];
}

function goMenu(actions: MenuActions, isMac: boolean): Item[] {
  return [
    commandItem(actions, 'back', m.window_back(), isMac ? 'Cmd+[' : 'Alt+Left'),
    commandItem(actions, 'forward', m.forward(), isMac ? 'Cmd+]' : 'Alt+Right'),
    LINE,
    {
      id: 'latestDaily',
      label: m.tray_latest_daily(),
      accelerator: 'CmdOrCtrl+D',
      click: () => actions.openLatestDaily(),
    },
    { id: 'modelChanges', label: m.menu_model_changes(), click: () => actions.goTo({ view: 'modelChanges' }) },
    { id: 'notifications', label: m.notifications_title(), click: () => actions.goTo({ view: 'notifications' }) },
  ];
}

function windowMenu(): Item[] {
  return [
    { role: 'minimize', label: m.menu_minimize() },
    { role: 'zoom', label: m.menu_zoom_window() },
    LINE,
    { role: 'front', label: m.menu_all_to_front() },
  ];
}

function helpMenu(actions: MenuActions, isMac: boolean): Item[] {
  return [
    commandItem(actions, 'shortcuts', m.menu_shortcuts(), 'CmdOrCtrl+/'),
    LINE,
    commandItem(actions, 'dataHealth', m.menu_sync_status()),
    { id: 'showDataFolder', label: m.menu_show_data_folder(), click: () => actions.showDataFolder() },
    ...(isMac ? [] : ([LINE, { role: 'about', label: m.menu_about() }] as const)),
  ];
}

export type Clicked = Pick<ContextMenuParams, 'linkURL' | 'linkText' | 'selectionText' | 'isEditable'> & {
  editFlags: Pick<EditFlags, 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'>;
};

interface ContextMenuActions {
  copy(text: string): void;
  openLink(url: string): void;
  lookUp(): void;
}

const MAX_EXCERPT = 24;

export function contextMenuTemplate(
  clicked: Clicked,
  { platform }: { platform: NodeJS.Platform },
  actions: ContextMenuActions,
): Item[] {
  const groups = [
    linkGroup(clicked, actions),
    platform === 'darwin' ? lookUpGroup(clicked, actions) : [],
    editGroup(clicked),
  ];
  return groups.filter((group) => group.length > 0).flatMap((group, index) => (index === 0 ? group : [LINE, ...group]));
}

function linkGroup({ linkURL, linkText }: Clicked, actions: ContextMenuActions): Item[] {
  const link = safeLink(linkURL);
  if (link === null) return [];
  return [
    { id: 'openLink', label: m.context_menu_open_link(), click: () => actions.openLink(link) },
    { id: 'copyLink', label: m.context_menu_copy_link(), click: () => actions.copy(link) },
    {
      id: 'copyCitation',
      label: m.context_menu_copy_citation(),
      click: () => actions.copy(markdownLink(linkText, link)),
    },
  ];
}

function lookUpGroup({ selectionText, isEditable }: Clicked, actions: ContextMenuActions): Item[] {
  const text = selectionText.replace(/\s+/g, ' ').trim();
  if (text === '' || isEditable) return [];
  const characters = Array.from(text);
  const excerpt = characters.length > MAX_EXCERPT ? `${characters.slice(0, MAX_EXCERPT).join('')}…` : text;
  // `&` marks an access key in menus.
  return [
    {
      id: 'lookUp',
      label: m.context_menu_look_up({ text: excerpt }).replaceAll('&', '&&'),
      click: () => actions.lookUp(),
    },
  ];
}

function editGroup({ isEditable, selectionText, editFlags }: Clicked): Item[] {
  const selectAll: Item = { role: 'selectAll', label: m.menu_select_all(), enabled: editFlags.canSelectAll };
  const copy: Item = { role: 'copy', label: m.copy(), enabled: editFlags.canCopy };
  if (isEditable) {
    return [
      { role: 'cut', label: m.menu_cut(), enabled: editFlags.canCut },
      copy,
      { role: 'paste', label: m.menu_paste(), enabled: editFlags.canPaste },
      selectAll,
    ];
  }
  const isSelected = selectionText.trim() !== '';
  if (isSelected) return [copy, selectAll];
  return editFlags.canSelectAll ? [selectAll] : [];
}

export function markdownLink(title: string, address: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  const text = (line || address).replace(/[\\`*_[\]<>]/g, '\\$&');
  return `[${text}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
