/** Characters typed since a box was opened that is still loading. */
let typed = '';

/** Starts empty: another box was opened. */
export function startTypingAhead(): void {
  typed = '';
}

/** Keeps a key press that would change the text of the box. Returns false for others. */
export function typeAhead({ key, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || isComposing) return false;
  if (key === 'Backspace') typed = typed.replace(/.$/su, '');
  else if (/^.$/su.test(key)) typed += key;
  else return false;
  return true;
}

/** Returns the initial text of the box, if anything was typed. Only the first caller gets it. */
export function takeTyped(): string {
  const text = typed;
  typed = '';
  return text;
}
