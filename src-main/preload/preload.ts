import { contextBridge, ipcRenderer } from 'electron';
import { CALL_CHANNEL, EVENT_CHANNEL, PAGE_WIRE } from '../contract/wire.ts';
import type { Reply } from '../contract/methods.ts';

// The page gets only these two functions: with ipcRenderer, a compromised page could send on every other channel.

type Listener = (payload: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

// A single listener, because Electron warns of a leak when a channel has more than ten.
ipcRenderer.on(EVENT_CHANNEL, (_event, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

contextBridge.exposeInMainWorld(PAGE_WIRE, {
  async call(method: unknown, args: unknown): Promise<Reply<unknown>> {
    try {
      return (await ipcRenderer.invoke(CALL_CHANNEL, String(method), args)) as Reply<unknown>;
    } catch {
      // Arguments that cannot be cloned, or the host has already exited. The wire always resolves.
      return {
        ok: false,
        error: {
          code: 'closed',
          message: 'Broadsheet is closing, or the call is invalid. Restart Broadsheet if this keeps happening.',
          retryable: false,
        },
      };
    }
  },

  on(event: unknown, listener: Listener): () => void {
    const name = String(event);
    const registered = listeners.get(name) ?? new Set<Listener>();
    listeners.set(name, registered);
    registered.add(listener);
    return () => void registered.delete(listener);
  },
});
