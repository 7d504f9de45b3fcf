import { AsyncLocalStorage } from 'node:async_hooks';
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import type { Args, MethodName, Reply } from '../contract/api.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../contract/channels.ts';
import type { Failure } from '../contract/errors.ts';
import { EVENT_NAMES, type EventName } from '../contract/events.ts';
import type { Wire } from '../contract/wire.ts';
import { isPageAddress } from './page-address.ts';

const FORBIDDEN: Failure = {
  code: 'forbidden_sender',
  message: "Only the app's own page may call.",
  retryable: false,
};

const callers = new AsyncLocalStorage<WebContents>();

/** Within a call of a page: who calls. */
export function caller(): WebContents | undefined {
  return callers.getStore();
}

/**
 * Carries the wire over Electron's IPC: calls from the app's page, events to those whom they concern.
 */
export function carryWire(
  ipc: Pick<IpcMain, 'handle'>,
  wire: Wire,
  audience: (event: EventName) => Pick<WebContents, 'send'>[],
): void {
  ipc.handle(CALL_CHANNEL, async (event, method: unknown, args: unknown): Promise<Reply<unknown>> => {
    if (!comesFromPage(event)) return { ok: false, error: FORBIDDEN };
    // The core's dispatch looks at the name and the arguments; here they are still whatever was sent.
    return callers.run(event.sender, () => wire.call(method as MethodName, args as Args<MethodName>));
  });
  for (const name of EVENT_NAMES) {
    wire.on(name, (payload) => {
      for (const contents of audience(name)) contents.send(EVENT_CHANNEL, name, payload);
    });
  }
}

/** A wire in place of a core that could not be opened: every call is answered with the reason, and the page shows it. */
export function failingWire(error: Failure): Wire {
  return { call: async () => ({ ok: false, error }), on: () => () => undefined };
}

/** Any frame of any window can send; only the main frame that shows the app's page is answered. */
function comesFromPage({ senderFrame }: IpcMainInvokeEvent): boolean {
  // Null once the frame has navigated away or is gone.
  return senderFrame !== null && senderFrame.parent === null && isPageAddress(senderFrame.url);
}
