import type { Wire } from '../contract/wire.ts';

/** A wire before there is one: calls wait for it, and listeners hear from its first event on. */
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
