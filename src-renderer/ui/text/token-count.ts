const LARGEST = 1_000_000_000;

/** Tokens that a app typed: `131072`, `131,072` or `128k`. Null where it is no such number. */
export function tokensOf(text: string): number | null {
  const match = /^(\d{1,3}(?:[,\s\u00a0\u202f]?\d{3})*|\d+)(?:\.(\d{1,3}))?\s*([km]?)$/i.exec(text.trim());
  if (!match) return null;
  const [, whole = '', places = '', suffix = ''] = match;
  const scale = { k: 1_000, m: 1_000_000 }[suffix.toLowerCase()] ?? 1;
  const tokens = Number(`${whole.replace(/\D/g, '')}.${places || '0'}`) * scale;
  return Number.isInteger(tokens) && tokens <= LARGEST ? tokens : null;
}

const formats = new Map<string, Intl.NumberFormat>();

/** A count of tokens in few letters: `128K`, `1M`; in Chinese 12.8万. */
export function shortCount(tokens: number, locale: string): string {
  const format =
    formats.get(locale) ?? new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  formats.set(locale, format);
  return format.format(tokens);
}
