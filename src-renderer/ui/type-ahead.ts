/** What was typed since a box was asked for that is still being loaded. */
let typed = '';

/** Begins with nothing: another box was asked for. */
export function startTypingAhead(): void {
  typed = '';
}

/** Keeps a press that would change the text of the box. Answers whether it is one. */
export function typeAhead({ key, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || isComposing) return false;
  if (key === 'Backspace') typed = typed.replace(/.$/su, '');
  else if (/^.$/su.test(key)) typed += key;
  else return false;
  return true;
}

/** What the box begins with, if anything was typed. Only the first to ask gets it. */
export function takeTyped(): string {
  const text = typed;
  typed = '';
  return text;
}
