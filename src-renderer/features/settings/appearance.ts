import type { Settings } from '../../../src-main/contract/settings.ts';

/** Read by `public/first-paint.js` before the first paint. */
const HINT = 'broadsheet.appearance';

/** Sets the colours, font and text size of the page, and saves a copy of them for the next start. */
export function showAppearance({ theme, font, textSize }: Pick<Settings, 'theme' | 'font' | 'textSize'>): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  root.dataset['font'] = font;
  root.style.setProperty('--text-size', String(textSize));
  try {
    localStorage.setItem(HINT, JSON.stringify({ theme, font, textSize }));
  } catch {
    // Storage may be disabled: the page then starts with the system theme and the default size.
  }
}
