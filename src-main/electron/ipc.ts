import { AsyncLocalStorage } from 'node:async_hooks';
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import type { Args, MethodName, Reply } from '../contract/methods.ts';
import type { Wire } from '../contract/wire.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../contract/channels.ts';
import type { Failure } from '../contract/errors.ts';
import { EVENT_NAMES, type EventName } from '../contract/events.ts';
import { isPageAddress } from './page-address.ts';

const FORBIDDEN: Failure = {
  code: 'forbidden_sender',
  message: 'Only the pages of Broadsheet may call.',
  retryable: false,
};

const callers = new AsyncLocalStorage<WebContents>();

/** The calling page; undefined outside a call. */
export function caller(): WebContents | undefined {
  return callers.getStore();
}

/** Connects the wire to Electron's IPC: calls from the pages, events to the pages in `audience`. */
export function connectWire(
  ipc: Pick<IpcMain, 'handle'>,
  wire: Wire,
  audience: (event: EventName) => Pick<WebContents, 'send'>[],
): void {
  ipc.handle(CALL_CHANNEL, async (event, method: unknown, args: unknown): Promise<Reply<unknown>> => {
    if (!comesFromPage(event)) return { ok: false, error: FORBIDDEN };
    // Unchecked here: the core validates the method name and the arguments.
    return callers.run(event.sender, () => wire.call(method as MethodName, args as Args<MethodName>));
  });
  for (const name of EVENT_NAMES) {
    wire.on(name, (payload) => {
      for (const contents of audience(name)) contents.send(EVENT_CHANNEL, name, payload);
    });
  }
}

/** The wire if the core cannot be opened: every call fails with the reason, and the page shows it. */
export function failingWire(error: Failure): Wire {
  return { call: async () => ({ ok: false, error }), on: () => () => undefined };
}

/** Any frame of any window can send. Only main frames with the app's page are accepted. */
function comesFromPage({ senderFrame }: IpcMainInvokeEvent): boolean {
  // Null if the frame has navigated away or is gone.
  return senderFrame !== null && senderFrame.parent === null && isPageAddress(senderFrame.url);
}
