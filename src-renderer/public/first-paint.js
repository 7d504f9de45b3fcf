// Runs before the first paint, so that a dark theme does not begin with a white flash, nor large text with a jump.
try {
  const { theme, font, textSize } = JSON.parse(localStorage.getItem('broadsheet.appearance') ?? '{}');
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (font === 'sans') root.dataset.font = font;
  if (Number.isInteger(textSize)) root.style.setProperty('--text-size', String(textSize));
} catch {
  // Storage may be disabled: the page then starts with the system's theme and the default size.
}
