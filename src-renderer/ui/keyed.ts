/**
 * Pairs each value with a key that occurs once in the list. A service may send the same id or word twice, and a keyed
 * `each` throws for duplicate keys.
 */
export function keyed<T>(values: readonly T[], keyOf: (value: T) => unknown): { key: string; value: T }[] {
  const counts = new Map<string, number>();
  return values.map((value) => {
    const name = String(keyOf(value));
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    return { key: `${String(before)} ${name}`, value };
  });
}
