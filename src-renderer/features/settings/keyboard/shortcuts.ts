import type { Settings } from '../../../../src-main/contract/settings.ts';

/** The commands whose key can be changed, in the order of the settings. */
export const SHORTCUT_COMMANDS = [
  'next',
  'previous',
  'open',
  'star',
  'toggleRead',
  'markAllRead',
  'search',
  'copyId',
  'help',
] as const;
export type ShortcutCommand = (typeof SHORTCUT_COMMANDS)[number];
export type Command = ShortcutCommand | 'escape';

/** The key of every command: a single character, a capital letter with Shift; empty for none. */
export type Keys = Readonly<Record<ShortcutCommand, string>>;

export const DEFAULT_KEYS: Keys = {
  next: 'j',
  previous: 'k',
  open: 'o',
  star: 's',
  toggleRead: 'm',
  markAllRead: 'A',
  search: '/',
  copyId: 'c',
  help: '?',
};

/** The part of a `KeyboardEvent` that decides. */
export interface KeyPress {
  key: string;
  /** The place of the key on a keyboard of the United States. */
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  getModifierState(name: 'CapsLock'): boolean;
  isComposing: boolean;
  defaultPrevented: boolean;
  target: EventTarget | null;
}

/**
 * The command of a key press, or null. No key acts with a modifier, while an input method composes, or in a text field;
 * single keys act only while they are switched on.
 */
export function commandFor(press: KeyPress, settings: Pick<Settings, 'singleKeys' | 'shortcuts'>): Command | null {
  if (press.defaultPrevented || press.isComposing || press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.key === 'Escape') return 'escape';
  if (!settings.singleKeys || takesText(press.target)) return null;
  return holderOf(keysInForce(settings.shortcuts), keyOf(press));
}

/**
 * The key of a press, as it is saved; empty if no command can have it. Caps Lock is ignored. A letter of another script
 * counts as the Latin letter in the same place, so that j stays where it was when the layout is switched to Russian or Greek.
 */
export function keyOf(press: Pick<KeyPress, 'key' | 'code' | 'shiftKey' | 'getModifierState'>): string {
  const { key, code, shiftKey } = press;
  if (!isKey(key)) return '';
  const inPlace = /(?!\p{Script=Latin})\p{L}/u.test(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  if (inPlace === undefined && !(isLetter(key) && press.getModifierState('CapsLock'))) return key;
  const letter = inPlace ?? key;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

/** The keys in use under these settings: the chosen ones, and the default ones that were not chosen for something else. */
export function keysInForce(shortcuts: Settings['shortcuts']): Keys {
  const chosen = new Map(
    SHORTCUT_COMMANDS.flatMap((command): [ShortcutCommand, string][] => {
      const key = Object.hasOwn(shortcuts, command) ? shortcuts[command] : undefined;
      return key === '' || (key !== undefined && isKey(key)) ? [[command, key]] : [];
    }),
  );
  const taken = new Set<string>();
  const keys: Record<ShortcutCommand, string> = { ...DEFAULT_KEYS };
  const inTurn = [...SHORTCUT_COMMANDS].sort((a, b) => Number(chosen.has(b)) - Number(chosen.has(a)));
  for (const command of inTurn) {
    const key = chosen.get(command) ?? DEFAULT_KEYS[command];
    keys[command] = taken.has(key) ? '' : key;
    taken.add(key);
  }
  return keys;
}

/** Which command a key is for; null for none. */
export function holderOf(keys: Keys, key: string): ShortcutCommand | null {
  if (key === '') return null;
  return SHORTCUT_COMMANDS.find((command) => keys[command] === key) ?? null;
}

/** Gives a command a key, or none. If another command had it, the two swap keys. */
export function withKey(keys: Keys, command: ShortcutCommand, key: string): Keys {
  const holder = holderOf(keys, key);
  return { ...keys, ...(holder !== null && { [holder]: keys[command] }), [command]: key };
}

/** What is saved: the keys that differ from the defaults, and those that a newer version saved for commands unknown here. */
export function shortcutsOf(keys: Keys, kept: Settings['shortcuts']): Settings['shortcuts'] {
  const foreign = Object.entries(kept).filter(([name]) => !Object.hasOwn(DEFAULT_KEYS, name));
  const own = SHORTCUT_COMMANDS.filter((command) => keys[command] !== DEFAULT_KEYS[command]);
  return Object.fromEntries([...foreign, ...own.map((command): [string, string] => [command, keys[command]])]);
}

export type Captured =
  | { kind: 'key'; key: string }
  /** Only a modifier so far. */
  | { kind: 'waiting' }
  | { kind: 'left' }
  | { kind: 'refused'; why: 'modifier' | 'reserved' };

/** What a press means while a new key is awaited. Esc and Tab cancel. */
export function captured(press: KeyPress): Captured {
  if (press.key === 'Escape' || press.key === 'Tab') return { kind: 'left' };
  if (press.isComposing || /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Fn|Dead|Process)$/.test(press.key)) {
    return { kind: 'waiting' };
  }
  if (press.ctrlKey || press.metaKey || press.altKey) return { kind: 'refused', why: 'modifier' };
  const key = keyOf(press);
  return key === '' ? { kind: 'refused', why: 'reserved' } : { kind: 'key', key };
}

/** A single visible character: lists need the arrows, Enter and the space bar. */
function isKey(text: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(text);
}

function isLetter(key: string): boolean {
  return /\p{L}/u.test(key);
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
