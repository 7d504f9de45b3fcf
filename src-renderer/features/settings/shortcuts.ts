import type { Settings } from '../../../src-main/contract/settings.ts';
import { isClicked } from '../../ui/focus-regions.ts';

/** Commands with one key and their default keys, in the order of the settings. */
const SINGLE_KEYS = {
  next: 'j',
  previous: 'k',
  nextUnread: 'n',
  back: 'p',
  historyBack: '[',
  historyForward: ']',
  open: 'o',
  star: 's',
  toggleRead: 'm',
  markAllRead: 'A',
  markAbove: 'K',
  markBelow: 'J',
  note: 'e',
  undo: 'z',
  paneLeft: 'h',
  paneRight: 'l',
  search: '/',
  palette: ':',
  copyId: 'c',
  help: '?',
  go: 'g',
};
/** Commands with two keys: that of `go`, then one of their own. */
const KEYS_AFTER_GO = {
  goFront: 't',
  goSelected: 'f',
  goEverything: 'e',
  goUnread: 'u',
  goStarred: 'b',
  goDaily: 'd',
  goHotTopics: 'h',
  goStories: 's',
  goArchive: 'a',
  goModels: 'm',
  goNotes: 'n',
  goSources: 'o',
  goStatistics: 'c',
};
type KeyCommand = keyof typeof SINGLE_KEYS;
export type GoCommand = keyof typeof KEYS_AFTER_GO;
export type ShortcutCommand = KeyCommand | GoCommand;
/** Commands of keys. Space, Esc, and Ctrl or Cmd with Z and K are fixed. */
export type Command = KeyCommand | 'pageDown' | 'pageUp' | 'escape';
/** The key of every command: a single character, a capital letter with Shift; empty for none. */
export type Keys = Readonly<Record<ShortcutCommand, string>>;

export const DEFAULT_KEYS: Keys = { ...SINGLE_KEYS, ...KEYS_AFTER_GO };
export const KEY_COMMANDS = Object.keys(SINGLE_KEYS) as readonly KeyCommand[];
export const GO_COMMANDS = Object.keys(KEYS_AFTER_GO) as readonly GoCommand[];
export const SHORTCUT_COMMANDS: readonly ShortcutCommand[] = [...KEY_COMMANDS, ...GO_COMMANDS];

/** All commands, as the help shows them. */
export const SHORTCUT_GROUPS = {
  move: ['next', 'previous', 'nextUnread', 'back', 'historyBack', 'historyForward', 'paneLeft', 'paneRight'],
  item: ['open', 'star', 'note', 'toggleRead', 'markAllRead', 'markAbove', 'markBelow', 'undo', 'copyId'],
  find: ['search', 'palette', 'help'],
  go: ['go', ...GO_COMMANDS],
} as const satisfies Record<string, readonly ShortcutCommand[]>;

/** Commands that a key held down repeats. Others would undo themselves. */
const REPEATED: readonly (Command | null)[] = ['next', 'previous', 'nextUnread', 'back', 'pageDown', 'pageUp'];

export interface KeyPress {
  key: string;
  /** The position of the key, named by a US keyboard. */
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  getModifierState(name: 'CapsLock'): boolean;
  isComposing: boolean;
  defaultPrevented: boolean;
  repeat?: boolean;
  target: EventTarget | null;
}

type KeySettings = Pick<Settings, 'singleKeys' | 'shortcuts'>;

/**
 * Returns the command of a key press, or null. No key acts while an input method composes, or in a text field; none but
 * Ctrl or Cmd with Z acts with a modifier; single keys act only while they are switched on.
 */
export function commandFor(press: KeyPress, settings: KeySettings): Command | null {
  if (press.defaultPrevented || press.isComposing) return null;
  const command = meantBy(press, settings);
  return press.repeat === true && !REPEATED.includes(command) ? null : command;
}

/**
 * Returns true if a press opens the palette in any state of the page, also in text fields and dialogs: Ctrl or Cmd with
 * K. On macOS Ctrl+K deletes to the end of a line, and stays with the text.
 */
export function opensPalette(press: KeyPress): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey, isComposing, repeat } = press;
  if (ctrlKey === metaKey || altKey || shiftKey || isComposing || repeat === true || keyOf(press) !== 'k') return false;
  return metaKey || !(takesText(press.target) && /Mac/.test(navigator.userAgent));
}

/**
 * Returns the direction of a press in the history of locations, in any state of the page: back (-1) or forward (1). As
 * in browsers, Alt with an arrow; on macOS, where that moves through the words of a text, Cmd with a bracket.
 */
export function historyStep(press: KeyPress): 1 | -1 | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, repeat } = press;
  if (ctrlKey || shiftKey || altKey === metaKey || isComposing || repeat === true) return null;
  const [back, forward] = /Mac/.test(navigator.userAgent) ? ['[', ']'] : ['ArrowLeft', 'ArrowRight'];
  if (metaKey !== (back === '[')) return null;
  return key === back ? -1 : key === forward ? 1 : null;
}

function meantBy(press: KeyPress, settings: KeySettings): Command | null {
  if (press.ctrlKey || press.metaKey || press.altKey) {
    const undoes = press.ctrlKey !== press.metaKey && !press.altKey && !press.shiftKey && keyOf(press) === 'z';
    return undoes && !takesText(press.target) ? 'undo' : null;
  }
  if (press.key === 'Escape') return 'escape';
  if (press.key === ' ') return usesSpace(press.target) ? null : press.shiftKey ? 'pageUp' : 'pageDown';
  if (!settings.singleKeys || takesText(press.target)) return null;
  const holder = holderOf(keysInForce(settings.shortcuts), keyOf(press));
  return holder !== null && !isGo(holder) ? holder : null;
}

/**
 * Interprets a press after the key of `go`: a command; `waiting` while it is only a modifier; `other` for a press with
 * another meaning, such as with Ctrl or in a text field; `none` for a key without a command here.
 */
export function goCommandFor(press: KeyPress, settings: KeySettings): GoCommand | 'waiting' | 'other' | 'none' {
  if (/^(Shift|CapsLock|AltGraph|Fn)$/.test(press.key)) return 'waiting';
  const { ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = press;
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented || takesText(press.target)) return 'other';
  const holder = holderOf(keysInForce(settings.shortcuts), keyOf(press), GO_COMMANDS);
  return holder !== null && isGo(holder) ? holder : 'none';
}

/**
 * Returns the key of a press as it is saved; empty if no command can have it. Ignores Caps Lock. A letter of another
 * script counts as the Latin letter in the same position, so that j stays where it was when the layout is switched to
 * Russian or Greek.
 */
export function keyOf(press: Pick<KeyPress, 'key' | 'code' | 'shiftKey' | 'getModifierState'>): string {
  const { key, code, shiftKey } = press;
  if (!isKey(key)) return '';
  const inPlace = /(?!\p{Script=Latin})\p{L}/u.test(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  if (inPlace === undefined && !(isLetter(key) && press.getModifierState('CapsLock'))) return key;
  const letter = inPlace ?? key;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

/** Returns the keys in use: the chosen ones, and the default ones that were not chosen for something else. */
export function keysInForce(shortcuts: Settings['shortcuts']): Keys {
  const chosen = new Map(
    SHORTCUT_COMMANDS.flatMap((command): [ShortcutCommand, string][] => {
      const key = Object.hasOwn(shortcuts, command) ? shortcuts[command] : undefined;
      return key === '' || (key !== undefined && isKey(key)) ? [[command, key]] : [];
    }),
  );
  const keys: Record<ShortcutCommand, string> = { ...DEFAULT_KEYS };
  for (const group of [KEY_COMMANDS, GO_COMMANDS]) {
    const taken = new Set<string>();
    const inTurn = [...group].sort((a, b) => Number(chosen.has(b)) - Number(chosen.has(a)));
    for (const command of inTurn) {
      const key = chosen.get(command) ?? DEFAULT_KEYS[command];
      keys[command] = taken.has(key) ? '' : key;
      taken.add(key);
    }
  }
  return keys;
}

export function isGo(command: ShortcutCommand): command is GoCommand {
  return (GO_COMMANDS as readonly ShortcutCommand[]).includes(command);
}

/** Returns the commands whose keys must differ: a second key may be the first key of another command. */
export function groupOf(command: ShortcutCommand): readonly ShortcutCommand[] {
  return isGo(command) ? GO_COMMANDS : KEY_COMMANDS;
}

/** Returns the command of a group that has a key; null for none. */
export function holderOf(
  keys: Keys,
  key: string,
  group: readonly ShortcutCommand[] = KEY_COMMANDS,
): ShortcutCommand | null {
  if (key === '') return null;
  return group.find((command) => keys[command] === key) ?? null;
}

/** Returns the keys to press one after another for a command; none if it has none. */
export function keysOf(keys: Keys, command: ShortcutCommand): readonly string[] {
  const presses = isGo(command) ? [keys.go, keys[command]] : [keys[command]];
  return presses.includes('') ? [] : presses;
}

/** Gives a command a key, or none. If another command had it, the two swap keys. */
export function withKey(keys: Keys, command: ShortcutCommand, key: string): Keys {
  const holder = holderOf(keys, key, groupOf(command));
  return { ...keys, ...(holder !== null && { [holder]: keys[command] }), [command]: key };
}

/** Returns the settings to save: keys that are not the default, and those of commands that only a newer version has. */
export function shortcutsOf(keys: Keys, kept: Settings['shortcuts']): Settings['shortcuts'] {
  const foreign = Object.entries(kept).filter(([name]) => !Object.hasOwn(DEFAULT_KEYS, name));
  const own = SHORTCUT_COMMANDS.filter((command) => keys[command] !== DEFAULT_KEYS[command]);
  return Object.fromEntries([...foreign, ...own.map((command): [string, string] => [command, keys[command]])]);
}

export type Captured =
  /** Empty for none. */
  | { kind: 'key'; key: string }
  /** Only a modifier so far. */
  | { kind: 'waiting' }
  | { kind: 'left' }
  | { kind: 'refused'; why: 'modifier' | 'reserved' };

/** Interprets a press while a new key is awaited. Backspace and Delete stand for no key; Esc and Tab cancel. */
export function captured(press: KeyPress): Captured {
  if (press.key === 'Escape' || press.key === 'Tab') return { kind: 'left' };
  if (press.isComposing || /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Fn|Dead|Process)$/.test(press.key)) {
    return { kind: 'waiting' };
  }
  if (press.ctrlKey || press.metaKey || press.altKey) return { kind: 'refused', why: 'modifier' };
  if (press.key === 'Backspace' || press.key === 'Delete') return { kind: 'key', key: '' };
  const key = keyOf(press);
  return key === '' ? { kind: 'refused', why: 'reserved' } : { kind: 'key', key };
}

/** Accepts a single visible character: lists need the arrows, Enter and the space bar. */
function isKey(text: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(text);
}

function isLetter(key: string): boolean {
  return /\p{L}/u.test(key);
}

const TEXT_ROLES = '[role="textbox"], [role="searchbox"], [role="combobox"], [role="spinbutton"]';

/** Returns true for an element in a closed dialog, which has the focus until the next frame but gets no keys. */
function isLeft(target: HTMLElement): boolean {
  return target.closest('dialog:not([open])') !== null;
}

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || isLeft(target)) return false;
  if (
    target.isContentEditable ||
    target.closest(`textarea, select, [contenteditable]:not([contenteditable="false"]), ${TEXT_ROLES}`)
  ) {
    return true;
  }
  return target instanceof HTMLInputElement && !/^(button|checkbox|radio|range|submit|reset)$/.test(target.type);
}

const CONTROLS =
  'button, summary, input, [role="button"], [role="checkbox"], [role="switch"], [role="radio"], [role="tab"], ' +
  '[role="menuitem"], [role="slider"], [role="grid"]';

/**
 * Returns true if the space bar presses the focused element. It scrolls from links, the open row of a list, and a button
 * that was only clicked.
 */
function usesSpace(target: EventTarget | null): boolean {
  if (takesText(target)) return true;
  const control = target instanceof HTMLElement && !isLeft(target) ? target.closest(CONTROLS) : null;
  return control !== null && control.getAttribute('aria-current') !== 'true' && !isClicked(control);
}
