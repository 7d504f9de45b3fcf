/** The loopback server puts the key into this element of the page behind the printed address. */
const META = 'meta[name="broadsheet-key"]';
const NAME = 'broadsheet.key';

/**
 * Returns a function that reads the key for calls and events; null if this browser has none. It is in storage, not in a
 * cookie: browsers send cookies of 127.0.0.1 to every port. All tabs share it, so a tab that stayed open over a restart
 * of the server finds the new key once the new address was opened.
 */
export function sessionKey(): () => string | null {
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
