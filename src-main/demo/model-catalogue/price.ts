/** A price in US cents per million tokens as the gateway writes it: decimal digits, USD per token, never an exponent. */
export function perToken(centsAMillion: number): string {
  const tenThousandths = Math.round(centsAMillion * 10_000);
  const digits = String(tenThousandths).padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}
