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

interface Files {
  /** Resolves when the files are open again, if they are closed for a moment; null if there is nothing to wait for. */
  ready(): Promise<null> | null;
  /** A call failed because a file could not be read. */
  onUnreadable(): void;
}

export function createWire(session: Session, listeners: Listeners, files?: Files): SessionWire {
  const dispatch = createDispatch(createHandlers(session), session.ports);
  const closed = { ok: false, error: toFailure(new BroadsheetError('closed', 'Broadsheet is closing.')) } as const;
  let isShut = false;
  const call: Wire['call'] = async (method, args) => {
    const waiting = files?.ready();
    if (waiting) await waiting;
    if (isShut) return closed;
    const reply = await dispatch(method, args);
    if (!reply.ok && reply.error.code === 'data_unreadable') files?.onUnreadable();
    return reply;
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
