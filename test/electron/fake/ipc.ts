/** The host's end of the wire between host and pages. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { FakeEvent } from './emitting.ts';
import { BrowserWindow, type Frame } from './windows.ts';

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

/** The page of the oldest open window. */
export function firstPage() {
  return BrowserWindow.getAllWindows()[0]?.webContents;
}
