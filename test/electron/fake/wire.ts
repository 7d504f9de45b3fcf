import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { runHost, type HostOptions } from './host.ts';

/** The wire of a page in the desktop app, through a fake of Electron's IPC. The host runs in a separate process. */
export async function connectThroughFake(options: HostOptions = {}): Promise<{ wire: Wire; close(): Promise<void> }> {
  const host = await runHost(options);
  const wire: Wire = {
    call: (method, args) => host.driver.call(method, args) as never,
    on<E extends EventName>(event: E, listener: (payload: Events[E]) => void) {
      return host.onEvent((name, payload) => {
        if (name === event) listener(payload as Events[E]);
      });
    },
  };
  return { wire, close: () => host.close() };
}
