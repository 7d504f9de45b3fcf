import type { Wire } from '../contract/wire.ts';

/** A wire that can be used before it is open: calls wait, and listeners get every event from the first one. */
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
