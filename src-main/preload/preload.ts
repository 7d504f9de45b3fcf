import { contextBridge, ipcRenderer } from 'electron';
import { CALL_CHANNEL, EVENT_CHANNEL, PAGE_WIRE } from '../contract/channels.ts';
import type { Reply } from '../contract/api.ts';

// All that the page gets: two functions. Neither ipcRenderer nor an event of it is ever handed over, since
// both would let a page that was taken over speak on every other channel too.

type Listener = (payload: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

// One listener for all: Electron warns of a leak when a channel has more than ten.
ipcRenderer.on(EVENT_CHANNEL, (_event, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

contextBridge.exposeInMainWorld(PAGE_WIRE, {
  async call(method: unknown, args: unknown): Promise<Reply<unknown>> {
    try {
      return (await ipcRenderer.invoke(CALL_CHANNEL, String(method), args)) as Reply<unknown>;
    } catch {
      // Arguments that cannot be cloned, or a host that is already gone: the wire answers, it never rejects.
      return {
        ok: false,
        error: { code: 'closed', message: 'Broadsheet is closing or did not understand the call.', retryable: false },
      };
    }
  },

  on(event: unknown, listener: Listener): () => void {
    const name = String(event);
    const heard = listeners.get(name) ?? new Set<Listener>();
    listeners.set(name, heard);
    heard.add(listener);
    return () => void heard.delete(listener);
  },
});
