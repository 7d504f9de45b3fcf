// Runs before the first paint: who chose dark sees no white flash, and who chose large letters no jump.
try {
  const { theme, font, textSize } = JSON.parse(localStorage.getItem('broadsheet.appearance') ?? '{}');
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (font === 'sans') root.dataset.font = font;
  if (Number.isInteger(textSize)) root.style.setProperty('--text-size', String(textSize));
} catch {
  // Storage may be switched off: the page then starts with the system's theme and in its usual size.
}
