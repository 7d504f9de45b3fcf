/** Where the loopback server puts the key into the page that the printed address leads to. */
const META = 'meta[name="broadsheet-key"]';
const NAME = 'broadsheet.key';

/**
 * The key that the loopback server wants for calls and events. It is in storage, not in a cookie: browsers send cookies of
 * 127.0.0.1 to every port. All tabs share it, and a tab that stayed open over a restart of the server finds the new key
 * here once the new address was opened. Read it for each request; null if this browser has none.
 */
export function sessionKey(): () => string | null {
  const meta = document.querySelector<HTMLMetaElement>(META);
  const given = meta?.content ?? null;
  if (given !== null) {
    meta?.remove();
    // The address can be opened only once.
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
