import type { Wire } from '../../src-main/contract/wire.ts';
import { HttpWire } from './http-wire.ts';
import { sessionKey } from './session-key.ts';

/** The wire to the core: the desktop host's own where it is there, else HTTP to where the page came from. */
export function connect(): Wire {
  return window.broadsheet ?? new HttpWire(sessionKey(), undefined, window.broadsheetFirst);
}
