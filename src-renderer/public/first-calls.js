// Sends the calls of every start while the browser still compiles the page's code; api/http-wire.ts takes the replies.
// The stream of events comes first, so that none is missed in between. The desktop has its own wire.
if (!window.broadsheet) {
  // As api/connect.ts, whose code is not loaded yet.
  let key = document.querySelector('meta[name="broadsheet-key"]')?.content ?? null;
  try {
    key ??= localStorage.getItem('broadsheet.key');
  } catch {
    // Storage may be disabled.
  }
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const ask = (path, init) => {
    const response = fetch(path, init);
    // The taker handles the failure.
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
    'counts.get',
    'visits.sinceLast',
    'notes.keys',
  ]) {
    calls.set(method, ask(`/call/${method}`, { method: 'POST', headers, body: '{}' }));
  }
  window.broadsheetFirst = { events, calls };
}
