import { AsyncLocalStorage } from 'node:async_hooks';
import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import type { Args, MethodName, Reply } from '../contract/methods.ts';
import { type Wire, CALL_CHANNEL, EVENT_CHANNEL } from '../contract/wire.ts';
import type { Failure } from '../contract/errors.ts';
import { EVENT_NAMES, type EventName } from '../contract/events.ts';
import { isPageAddress } from './page.ts';

const FORBIDDEN: Failure = {
  code: 'forbidden_sender',
  message: 'Only the pages of Broadsheet may call.',
  retryable: false,
};

const callers = new AsyncLocalStorage<WebContents>();

export function caller(): WebContents | undefined {
  return callers.getStore();
}

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

/** Fails every call with the reason why the core can't be opened, for the page to show. */
export function failingWire(error: Failure): Wire {
  return { call: async () => ({ ok: false, error }), on: () => () => undefined };
}

/** Accepts only main frames with the app's page. An embedded frame, or a window that left the page, could send, too. */
function comesFromPage({ senderFrame }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isPageAddress(senderFrame.url);
}

/** Can be used before it is open: calls wait, and listeners get every event from the first one. */
export function deferredIpc(opening: Promise<Wire>): Wire {
  return {
    call: async (method, args) => (await opening).call(method, args),
    on(event, listener) {
      let stop = (): void => undefined;
      let stopped = false;
      void opening.then((wire) => {
        if (!stopped) stop = wire.on(event, listener);
      });
      return () => {
        stopped = true;
        stop();
      };
    },
  };
}
