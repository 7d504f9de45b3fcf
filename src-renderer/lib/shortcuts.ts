export type Command =
  'next' | 'previous' | 'open' | 'star' | 'toggleRead' | 'markAllRead' | 'search' | 'help' | 'escape';

const SINGLE_KEYS: Readonly<Record<string, Command>> = {
  j: 'next',
  k: 'previous',
  o: 'open',
  s: 'star',
  m: 'toggleRead',
  A: 'markAllRead',
  '/': 'search',
  '?': 'help',
};

/** What of a key press decides; a `KeyboardEvent` is one. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  defaultPrevented: boolean;
  target: EventTarget | null;
}

/**
 * The command that a key press asks for, or null. Nothing acts with a modifier, while an input method composes, or in
 * a text field; single keys only while they are switched on.
 */
export function commandFor(press: KeyPress, singleKeys: boolean): Command | null {
  if (press.defaultPrevented || press.isComposing || press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.key === 'Escape') return 'escape';
  if (!singleKeys || takesText(press.target)) return null;
  return Object.hasOwn(SINGLE_KEYS, press.key) ? (SINGLE_KEYS[press.key] ?? null) : null;
}

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target.closest('textarea, select, [contenteditable]:not([contenteditable="false"])')
  ) {
    return true;
  }
  return target instanceof HTMLInputElement && !/^(button|checkbox|radio|range|submit|reset)$/.test(target.type);
}
