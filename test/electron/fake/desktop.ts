/** Menus, tray, notifications and images. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type * as Electron from 'electron';
import { mustBeReady } from './app.ts';
import type { Like } from './emitting.ts';
import { record, type MenuRecord, type TrayRecord } from './records.ts';

type Template = Electron.MenuItemConstructorOptions[];

/** A built menu; its items can be clicked, and its data sent to another process. */
export class Menu implements Pick<Electron.Menu, 'popup'> {
  readonly template: Template;
  constructor(template: Template = []) {
    this.template = template;
  }
  static buildFromTemplate = (template: Template): Menu => new Menu(template);
  /** The menu bar. */
  static application: Menu | null = null;
  static popped: Menu | null = null;
  static setApplicationMenu(menu: Menu | null): void {
    Menu.application = menu;
    record.menu = menu && recordOf(menu.template);
  }
  popup(): void {
    Menu.popped = this;
  }
  /** The user clicks an item; systems set a check mark first. Errors: if it does not exist or is disabled. */
  choose(id: string): void {
    const item = this.find(id);
    if (!item?.click || item.enabled === false) throw new Error(`Cannot click ${id}`);
    if (item.type === 'checkbox') item.checked = !item.checked;
    item.click(item as never, undefined, {});
  }
  find(id: string, items = this.template): Electron.MenuItemConstructorOptions | undefined {
    for (const item of items) {
      const found = item.id === id ? item : Array.isArray(item.submenu) ? this.find(id, item.submenu) : undefined;
      if (found) return found;
    }
    return undefined;
  }
}

function recordOf(template: Template): MenuRecord[] {
  return JSON.parse(JSON.stringify(template)) as MenuRecord[];
}

const loadable = (image: string | Electron.NativeImage): string => {
  const file = typeof image === 'string' ? image : (image as unknown as Picture).file;
  if (existsSync(file)) return file;
  throw new Error(`Failed to load image from path '${file}'`);
};

/** `FAKE_TRAY=none`: a system without a tray. */
export class Tray extends EventEmitter implements Like<Electron.Tray> {
  static last: Tray | null = null;
  readonly record: TrayRecord;
  menu: Menu | null = null;

  constructor(image: string | Electron.NativeImage) {
    super();
    mustBeReady('Cannot create Tray');
    if (process.env['FAKE_TRAY'] === 'none') throw new Error('This system has no tray');
    this.record = { image: loadable(image), toolTip: '', title: '', menu: [], menusSet: 0 };
    record.tray = this.record;
    Tray.last = this;
  }
  setImage(image: string | Electron.NativeImage): void {
    this.record.image = loadable(image);
  }
  /** On Linux, Chromium sets the menu again with a tool tip. */
  setToolTip(toolTip: string): void {
    this.record.toolTip = toolTip;
    this.record.menusSet += 1;
  }
  setTitle(title: string): void {
    this.record.title = title;
  }
  setContextMenu(menu: Electron.Menu | null): void {
    this.menu = menu as unknown as Menu | null;
    this.record.menu = this.menu ? recordOf(this.menu.template) : [];
    this.record.menusSet += 1;
  }
}

/** `FAKE_NOTIFICATIONS=none`: a system without notifications. */
export class Notification extends EventEmitter implements Pick<Electron.Notification, 'show'> {
  static shown: Notification[] = [];
  static isSupported = (): boolean => process.env['FAKE_NOTIFICATIONS'] !== 'none';
  static #activated: ((details: Electron.ActivationArguments) => void) | null = null;
  /** `FAKE_TOAST`: the arguments of the click that started the app; reported at once, as in Electron. */
  static handleActivation(callback: (details: Electron.ActivationArguments) => void): void {
    if (process.platform !== 'win32') throw new TypeError('Notification.handleActivation is not a function');
    Notification.#activated = callback;
    const { FAKE_TOAST } = process.env;
    if (FAKE_TOAST !== undefined) Notification.activate(FAKE_TOAST);
  }
  /** Windows reports a click on any notification of the app, with the arguments in its XML. */
  static activate(args: string): void {
    Notification.#activated?.({ type: 'click', arguments: args });
  }
  readonly record: Electron.NotificationConstructorOptions;

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    mustBeReady('Cannot create Notification');
    this.record = structuredClone(options);
  }
  show(): void {
    Notification.shown.push(this);
    record.notifications.push(this.record);
    this.emit('show', {});
  }
  /** The user clicks it. */
  click(): void {
    this.emit('click', {});
    Notification.activate('type=click&tag=1');
  }
}

class Picture {
  readonly file: string;
  constructor(file: string) {
    this.file = file;
  }
}

export const nativeImage = {
  // As in Electron, a missing image is empty, without an error.
  createFromPath: (path: string) => new Picture(path) as unknown as Electron.NativeImage,
} satisfies Pick<typeof Electron.nativeImage, 'createFromPath'>;
