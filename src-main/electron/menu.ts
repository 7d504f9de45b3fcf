import type { MenuItemConstructorOptions } from 'electron';

/**
 * The native menu: roles only, so that the system's own editing, window and quit shortcuts work where people expect
 * them. Everything of Broadsheet's own is in the page.
 */
export function menuTemplate(platform: NodeJS.Platform, development: boolean): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions = {
    role: 'viewMenu',
    submenu: [
      ...(development ? ([{ role: 'reload' }, { role: 'toggleDevTools' }, { type: 'separator' }] as const) : []),
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  const first: MenuItemConstructorOptions = { role: platform === 'darwin' ? 'appMenu' : 'fileMenu' };
  return [first, { role: 'editMenu' }, view, { role: 'windowMenu' }];
}
