/** Permissions and downloads of pages. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { mustBeReady } from './app.ts';
import type { Like } from './emitting.ts';

type Handler<Key extends keyof Electron.Session> = Electron.Session[Key] extends (handler: infer H) => void
  ? NonNullable<H>
  : never;

/** A download that is about to start. */
export class DownloadItem implements Like<Electron.DownloadItem> {
  saveDialog: Electron.SaveDialogOptions | null = null;
  readonly #from: { url: string; initiator: string; name: string };

  constructor(from: { url: string; initiator: string; name: string }) {
    this.#from = from;
  }
  getURL = (): string => this.#from.url;
  getInitiatorOrigin = (): string => this.#from.initiator;
  getFilename = (): string => this.#from.name;
  setSaveDialogOptions(options: Electron.SaveDialogOptions): void {
    this.saveDialog = structuredClone(options);
  }
}

export class FakeSession extends EventEmitter {
  permissionRequest: Handler<'setPermissionRequestHandler'> | undefined;
  permissionCheck: Handler<'setPermissionCheckHandler'> | undefined;
  devicePermission: Handler<'setDevicePermissionHandler'> | undefined;
  displayMediaRequest: Handler<'setDisplayMediaRequestHandler'> | undefined;
  beforeRequest:
    { urls: string[]; listener: (details: never, callback: (answer: unknown) => void) => void } | undefined;
  /** On by default, as in Electron. */
  spellChecks = true;

  setPermissionRequestHandler(handler: Handler<'setPermissionRequestHandler'>): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: Handler<'setPermissionCheckHandler'>): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: Handler<'setDevicePermissionHandler'>): void {
    this.devicePermission = handler;
  }
  setDisplayMediaRequestHandler(handler: Handler<'setDisplayMediaRequestHandler'>): void {
    this.displayMediaRequest = handler;
  }
  setSpellCheckerEnabled(enable: boolean): void {
    this.spellChecks = enable;
  }
  readonly webRequest = {
    onBeforeRequest: (
      filter: Electron.WebRequestFilter,
      listener: NonNullable<Parameters<Electron.WebRequest['onBeforeRequest']>[0]>,
    ): void => {
      this.beforeRequest = { urls: filter.urls, listener };
    },
  };
}

export const defaultSession = new FakeSession();

export const session = {
  get defaultSession(): FakeSession {
    mustBeReady('Session can only be received');
    return defaultSession;
  },
};
