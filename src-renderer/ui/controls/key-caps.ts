/** Returns the labels of the keys to press: `Shift` and `A`, or the one character. */
export function keyCaps(key: string): string[] {
  return /\p{L}/u.test(key) && key !== key.toLowerCase() ? ['Shift', key] : [key];
}
