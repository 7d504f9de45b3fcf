import type { Wire } from '../../src-main/contract/wire.ts';
import { HttpWire } from './http-wire.ts';

/** The loopback server puts the key into this element of the page behind the printed address. */
const META = 'meta[name="broadsheet-key"]';
const NAME = 'broadsheet.key';

/** Returns the desktop host's own wire if there is one, else HTTP to the page's origin. */
export function connect(): Wire {
  return window.broadsheet ?? new HttpWire(sessionKey(), undefined, window.broadsheetFirst);
}

/**
 * Returns a function that reads the key for calls and events; null if this browser has none. It is in storage, not in a
 * cookie: browsers send cookies of 127.0.0.1 to every port. All tabs share it, so a tab that stayed open over a restart
 * of the server finds the new key once the new address was opened.
 */
function sessionKey(): () => string | null {
  const meta = document.querySelector<HTMLMetaElement>(META);
  const given = meta?.content ?? null;
  if (given !== null) {
    meta?.remove();
    // The address works only once.
    history.replaceState(history.state, '', location.pathname + location.hash);
    store(given);
  }
  return () => stored() ?? given;
}

function store(key: string): void {
  try {
    localStorage.setItem(NAME, key);
  } catch {
    // Storage may be disabled: the key then lasts until the page is reloaded.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
