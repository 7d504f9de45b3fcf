// Asks for what every start needs while the browser still compiles the page's code; api/http-wire.ts takes the answers. The
// stream of events comes first, so that none is missed in between. The desktop has a wire of its own.
if (!window.broadsheet) {
  // As api/session-key.ts, whose code is not there yet.
  let key = document.querySelector('meta[name="broadsheet-key"]')?.content ?? null;
  try {
    key ??= localStorage.getItem('broadsheet.key');
  } catch {
    // Storage may be switched off.
  }
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const ask = (path, init) => {
    const response = fetch(path, init);
    // Whoever takes it hears of it.
    response.catch(() => undefined);
    return response;
  };
  const headers = { 'content-type': 'application/json', ...authorization };
  const events = ask('/events', { headers: authorization });
  const calls = new Map();
  for (const method of [
    'settings.get',
    'app.lastPlace',
    'app.capabilities',
    'sync.status',
    'visits.sinceLast',
    'notes.keys',
  ]) {
    calls.set(method, ask(`/call/${method}`, { method: 'POST', headers, body: '{}' }));
  }
  window.broadsheetFirst = { events, calls };
}
