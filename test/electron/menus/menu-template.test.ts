import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuTemplate } from '../../../src-main/electron/menus/menu-template.ts';
import { inLocale } from '../../support/locale.ts';
import { recordCalls } from '../support/desktop.ts';

const PLATFORMS = ['darwin', 'win32', 'linux'] as const;

function menu(platform: NodeJS.Platform, { development = false } = {}) {
  const { calls, recorder: actions } = recordCalls();
  const template = menuTemplate({ platform, development }, actions);
  const items = template.flatMap(({ submenu }) => submenu as MenuItemConstructorOptions[]);
  const find = (id: string) => items.find((item) => item.id === id);
  const choose = (id: string) => find(id)?.click?.({} as never, undefined, {});
  const roles = items.map(({ role }) => role);
  return { template, items, find, choose, roles, calls };
}

describe.each(PLATFORMS)('the native menu on %s', (platform) => {
  it('has the system roles for editing, windows and quitting, which their shortcuts need', () => {
    const { roles } = menu(platform);
    expect(roles).toEqual(
      expect.arrayContaining([
        'undo',
        'redo',
        'cut',
        'copy',
        'paste',
        'selectAll',
        'resetZoom',
        'zoomIn',
        'zoomOut',
        'togglefullscreen',
        'close',
        'about',
        'quit',
      ]),
    );
    for (const role of ['about', 'quit', 'close'] as const) expect(roles.filter((one) => one === role)).toHaveLength(1);
  });

  it.each<[string, unknown[]]>([
    ['refresh', ['refresh']],
    ['search', ['sendCommand', 'search']],
    ['palette', ['sendCommand', 'palette']],
    ['print', ['print']],
    ['savePdf', ['savePdf']],
    ['export', ['sendCommand', 'export']],
    ['settings', ['goTo', { view: 'settings' }]],
    ['feed', ['sendCommand', 'feed']],
    ['hotTopics', ['sendCommand', 'hotTopics']],
    ['archive', ['sendCommand', 'archive']],
    ['models', ['sendCommand', 'models']],
    ['sources', ['sendCommand', 'sources']],
    ['back', ['sendCommand', 'back']],
    ['forward', ['sendCommand', 'forward']],
    ['latestDaily', ['openLatestDaily']],
    ['modelChanges', ['goTo', { view: 'modelChanges' }]],
    ['notifications', ['goTo', { view: 'notifications' }]],
    ['shortcuts', ['sendCommand', 'shortcuts']],
    ['dataHealth', ['sendCommand', 'dataHealth']],
    ['showDataFolder', ['showDataFolder']],
  ])('%s runs %j', (id, does) => {
    const { choose, calls } = menu(platform);
    choose(id);
    expect(calls).toEqual([does]);
  });

  it('has a menu for windows on macOS only: elsewhere their title bars do that', () => {
    const { template, roles } = menu(platform);
    const isMac = platform === 'darwin';
    for (const role of ['minimize', 'zoom', 'front'] as const) expect(roles.includes(role)).toBe(isMac);
    expect(template.some(({ role }) => role === 'windowMenu')).toBe(isMac);
  });

  it.each(['en', 'zh-CN'] as const)('opens each menu with Alt and a letter, except on macOS: %s', (locale) => {
    const labels = inLocale(locale, () => menu(platform)).template.map(({ label = '' }) => label);
    const letters = labels.map((label) => /&([A-Z])/i.exec(label)?.[1]?.toUpperCase());
    expect(letters).toEqual(platform === 'darwin' ? letters.map(() => undefined) : ['F', 'E', 'V', 'G', 'H']);
    if (locale === 'zh-CN' && platform === 'linux') expect(labels[0]).toBe('文件(&F)');
  });

  it("ends with the system's word for quitting", () => {
    const quit = menu(platform).items.find(({ role }) => role === 'quit');
    expect(quit?.label).toBe(platform === 'win32' ? 'Exit' : 'Quit Broadsheet');
  });

  it('has no shortcut twice', () => {
    const shortcuts = menu(platform).items.flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(shortcuts).size).toBe(shortcuts.length);
    expect(shortcuts).toEqual(
      expect.arrayContaining([
        'CmdOrCtrl+R',
        'CmdOrCtrl+F',
        'CmdOrCtrl+P',
        'CmdOrCtrl+,',
        'CmdOrCtrl+1',
        'CmdOrCtrl+5',
      ]),
    );
  });

  it.each(['en', 'zh-CN'] as const)('has a text for every item, including system roles: %s', (locale) => {
    const { template, items } = inLocale(locale, () => menu(platform));
    for (const item of [...template, ...items]) if (item.type !== 'separator') expect(item.label).toBeTruthy();
    if (locale !== 'zh-CN') return;
    const english = [...template, ...items].filter(({ label }) => label && !/[\u4e00-\u9fff]/.test(label));
    expect(english.map(({ label }) => label)).toEqual(platform === 'darwin' ? ['Broadsheet'] : []);
  });

  it('has the developer tools in development only, and never the reload with the shortcut of Refresh', () => {
    expect(menu(platform).roles).not.toContain('toggleDevTools');
    expect(menu(platform, { development: true }).roles).toContain('toggleDevTools');
    expect(menu(platform, { development: true }).roles).not.toContain('reload');
  });
});

describe('the native menu', () => {
  it('starts with the app menu on macOS, which has settings and quit', () => {
    const [first] = menu('darwin').template;
    expect(first?.label).toBe('Broadsheet');
    const roles = (first?.submenu as MenuItemConstructorOptions[]).map(({ role, id }) => role ?? id);
    expect(roles).toEqual(expect.arrayContaining(['about', 'settings', 'services', 'hide', 'quit']));
  });

  it("uses the system's shortcuts for going back and forward", () => {
    expect(menu('darwin').find('back')?.accelerator).toBe('Cmd+[');
    expect(menu('linux').find('back')?.accelerator).toBe('Alt+Left');
    expect(menu('darwin').find('forward')?.accelerator).toBe('Cmd+]');
    expect(menu('linux').find('forward')?.accelerator).toBe('Alt+Right');
  });
});
