/** Both ends of the wire between host and page. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { bridge } from './bridge.ts';
import { FakeEvent } from './emitting.ts';
import { BrowserWindow, type Frame } from './windows.ts';

/** The part of the page's `window` that the preload script sets. */
export const mainWorld: Record<string, unknown> = {};

export const contextBridge = {
  exposeInMainWorld(key: string, api: unknown): void {
    mainWorld[key] = bridge(api);
  },
} satisfies Pick<Electron.ContextBridge, 'exposeInMainWorld'>;

class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, Parameters<Electron.IpcMain['handle']>[1]>();

  handle(channel: string, handler: Parameters<Electron.IpcMain['handle']>[1]): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, handler);
  }

  /** Delivers a message of a frame. Arguments and result are cloned, as between processes. */
  async deliver(senderFrame: Frame | null, channel: string, args: unknown[], sender = firstPage()): Promise<unknown> {
    const handler = this.handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const event = Object.assign(new FakeEvent(), { type: 'frame', senderFrame, sender });
    return structuredClone(await handler(event as unknown as Electron.IpcMainInvokeEvent, ...structuredClone(args)));
  }
}
export const ipcMain = new IpcMain();

class IpcRenderer extends EventEmitter implements Pick<Electron.IpcRenderer, 'invoke'> {
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    return ipcMain.deliver(firstPage()?.mainFrame ?? null, channel, args);
  }
}
export const ipcRenderer = new IpcRenderer();

function firstPage() {
  return BrowserWindow.getAllWindows()[0]?.webContents;
}
