const rules = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

/** A whole number as this language writes it: `1,204`. */
export function formatCount(locale: string, n: number): string {
  let format = numbers.get(locale);
  if (!format) numbers.set(locale, (format = new Intl.NumberFormat(locale)));
  return format.format(n);
}

/** Picks the form that the language's plural rules ask for; `#` in it becomes the number. */
export function plural(
  locale: string,
  n: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string {
  let rule = rules.get(locale);
  if (!rule) rules.set(locale, (rule = new Intl.PluralRules(locale)));
  return (forms[rule.select(n)] ?? forms.other).replaceAll('#', formatCount(locale, n));
}
