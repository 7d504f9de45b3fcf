import type { Wire } from '../../src-main/contract/wire.ts';
import { HttpWire } from './http-wire.ts';
import { sessionKey } from './session-key.ts';

/** Returns the desktop host's own wire if there is one, else HTTP to the page's origin. */
export function connect(): Wire {
  return window.broadsheet ?? new HttpWire(sessionKey(), undefined, window.broadsheetFirst);
}
