const formats = new Map<string, Intl.NumberFormat>();

export function cachedFormat(key: string, locale: string, options?: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = `${locale} ${key}`;
  const known = formats.get(name);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, options);
  formats.set(name, made);
  return made;
}

export function formatCount(locale: string, n: number): string {
  return cachedFormat('count', locale).format(n);
}

export function countOf(count: number, noun: string): string {
  return `${formatCount('en', count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `128K`, `1M`: tokens are counted so in any language. */
export function shortCount(tokens: number): string {
  return cachedFormat('short', 'en', { notation: 'compact' }).format(tokens);
}

export function byteSize(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = units[step] ?? 'byte';
  const options = { style: 'unit', unit, maximumFractionDigits: step === 0 ? 0 : 1 } as const;
  return cachedFormat(unit, locale, options).format(bytes / 1000 ** step);
}

const NUMBER = /^[+-]?\d{1,20}(?:\.\d{1,20})?$/;

export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : null;
}
