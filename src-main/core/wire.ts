import { BroadsheetError, toFailure } from '../contract/errors.ts';
import type { Wire } from '../contract/wire.ts';
import { createHandlers } from '../handlers/handlers.ts';
import type { Session } from '../handlers/types.ts';
import { createDispatch } from './dispatch.ts';
import type { Listeners } from './listeners.ts';

/** A wire that calls the session directly. */
export interface SessionWire {
  wire: Wire;
  /** Ends all later calls with `closed`. Returns false if the wire was already closed. */
  shut(): boolean;
}

/**
 * @param ready resolves when the files are open again, if they are closed for a moment; calls wait for it. Null if
 *   there is nothing to wait for.
 */
export function createWire(
  session: Session,
  listeners: Listeners,
  ready: () => Promise<void> | null = () => null,
): SessionWire {
  const dispatch = createDispatch(createHandlers(session), session.ports);
  const closed = { ok: false, error: toFailure(new BroadsheetError('closed', 'Broadsheet is closing.')) } as const;
  let isShut = false;
  const call: Wire['call'] = async (method, args) => {
    const waiting = ready();
    if (waiting) await waiting;
    return isShut ? closed : dispatch(method, args);
  };
  return {
    wire: {
      call,
      on: (event, listener) => listeners.on(event, listener),
    },
    shut() {
      const first = !isShut;
      isShut = true;
      return first;
    },
  };
}
