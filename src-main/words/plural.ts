const rules = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** `#` in the form that English asks for becomes the number. */
export function counted(n: number, one: string, other: string = one): string {
  return (rules.select(n) === 'one' ? one : other).replaceAll('#', numbers.format(n));
}
