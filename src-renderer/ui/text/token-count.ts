const LARGEST = 1_000_000_000;

/** Parses a number of tokens: `131072`, `131,072` or `128k`. Null if it is not such a number. */
export function tokensOf(text: string): number | null {
  const match = /^(\d{1,3}(?:[,\s\u00a0\u202f]?\d{3})*|\d+)(?:\.(\d{1,3}))?\s*([km]?)$/i.exec(text.trim());
  if (!match) return null;
  const [, whole = '', places = '', suffix = ''] = match;
  const scale = { k: 1_000, m: 1_000_000 }[suffix.toLowerCase()] ?? 1;
  const tokens = Number(`${whole.replace(/\D/g, '')}.${places || '0'}`) * scale;
  return Number.isInteger(tokens) && tokens <= LARGEST ? tokens : null;
}
