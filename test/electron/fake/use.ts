import type { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import * as electron from './electron.ts';

// Records the parts of Electron that a host uses, with the names of `electron.d.ts`: `App.quit`, and
// `App.on:before-quit` for an event that was emitted to its listener. Written to a file at the end, since quitting is
// part of it.

const used = new Set<string>();

type Members = Record<string, unknown>;
type Act = (this: unknown, ...args: unknown[]) => unknown;

/** Electron class -> its fake: the object itself, or the class and its prototype. */
const PLACES: Readonly<Record<string, object[]>> = {
  App: singleton(electron.app),
  BrowserWindow: built(electron.BrowserWindow),
  Clipboard: [electron.clipboard],
  CommandLine: [electron.app.commandLine],
  ContextBridge: built(electron.ContextBridge),
  Dialog: [electron.dialog],
  DownloadItem: built(electron.DownloadItem),
  Dock: electron.app.dock ? [electron.app.dock] : [],
  IpcMain: singleton(electron.ipcMain),
  IpcRenderer: built(electron.IpcRenderer),
  Menu: built(electron.Menu),
  NativeImage: [electron.nativeImage],
  NativeTheme: singleton(electron.nativeTheme),
  Net: [electron.net],
  Notification: built(electron.Notification),
  PowerMonitor: [electron.powerMonitor],
  Protocol: [electron.protocol],
  SafeStorage: [electron.safeStorage],
  Screen: singleton(electron.screen),
  Session: built(electron.FakeSession),
  Shell: [electron.shell],
  Tray: built(electron.Tray),
  WebContents: built(electron.WebContents),
  WebRequest: [electron.defaultSession.webRequest],
};

/** Classes with members that are created with each instance. */
const INSTANCES: readonly [string, new (...args: never[]) => object][] = [
  ['BrowserWindow', electron.BrowserWindow],
  ['DownloadItem', electron.DownloadItem],
  ['WebContents', electron.WebContents],
];

function singleton(thing: object): object[] {
  return [thing, Object.getPrototypeOf(thing) as object];
}

function built(constructor: new (...args: never[]) => object): object[] {
  return [constructor, constructor.prototype as object];
}

/** Records what is used, and writes it to the file when the process ends. */
export function watchUse(file: string): void {
  for (const [name, places] of Object.entries(PLACES)) {
    for (const place of places) watchMembers(name, place);
    const [emitter] = places.filter((place) => 'emit' in place);
    if (emitter) watchEvents(name, emitter as EventEmitter);
  }
  // Members that every emitter has are not Electron's own.
  watchMembers('IpcMain', electron.ipcMain, ['removeAllListeners']);
  watchMembers('IpcRenderer', electron.IpcRenderer.prototype, ['on']);
  process.on('exit', () => writeFileSync(file, JSON.stringify([...used].sort())));
}

function watchMembers(name: string, place: object, members = Object.getOwnPropertyNames(place)): void {
  for (const member of members) {
    const descriptor = Object.getOwnPropertyDescriptor(place, member);
    const original = descriptor ? (descriptor.value as unknown) : (place as Members)[member];
    if (typeof original !== 'function' || member === 'constructor' || isClass(original)) continue;
    (place as Members)[member] = function (this: unknown, ...args: unknown[]) {
      if (isCalledByHost()) used.add(`${name}.${member}`);
      return (original as Act).apply(this, args);
    };
  }
}

function watchEvents(name: string, emitter: EventEmitter): void {
  const { emit } = emitter;
  emitter.emit = function (this: EventEmitter, event: string | symbol, ...args: unknown[]) {
    for (const argument of args) watchInstance(argument);
    if (this.listenerCount(event) > 0) used.add(`${name}.on:${String(event)}`);
    return emit.call(this, event, ...args);
  };
}

const watched = new WeakSet<object>();

function watchInstance(argument: unknown): void {
  const [name] = INSTANCES.find(([, constructor]) => argument instanceof constructor) ?? [];
  if (name === undefined || watched.has(argument as object)) return;
  watched.add(argument as object);
  watchMembers(name, argument as object);
}

/** Excludes calls by the fake itself and by the driver. */
function isCalledByHost(): boolean {
  const [, , , caller = ''] = new Error().stack?.split('\n') ?? [];
  return !caller.includes('/fake/');
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
