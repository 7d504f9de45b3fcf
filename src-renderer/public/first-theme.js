// Runs before the first paint, so that a reader who chose dark never sees a white flash.
try {
  const theme = localStorage.getItem('broadsheet.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be switched off: the system's theme is used then.
}
