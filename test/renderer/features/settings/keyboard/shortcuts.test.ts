import { describe, expect, it } from 'vitest';
import { keyCaps } from '../../../../../src-renderer/ui/controls/key-caps.ts';
import {
  captured,
  commandFor,
  holderOf,
  keyOf,
  keysInForce,
  shortcutsOf,
  SHORTCUT_COMMANDS,
  DEFAULT_KEYS,
  withKey,
  type KeyPress,
} from '../../../../../src-renderer/features/settings/keyboard/shortcuts.ts';

const USUAL = { singleKeys: true, shortcuts: {} };

function press(key: string, changes: Partial<KeyPress> = {}): KeyPress {
  return {
    key,
    code: '',
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    getModifierState: () => false,
    isComposing: false,
    defaultPrevented: false,
    target: document.createElement('div'),
    ...changes,
  };
}

function element(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
}

describe('a single key', () => {
  it.each([
    ['j', 'next'],
    ['k', 'previous'],
    ['o', 'open'],
    ['s', 'star'],
    ['m', 'toggleRead'],
    ['A', 'markAllRead'],
    ['/', 'search'],
    ['c', 'copyId'],
    ['?', 'help'],
    ['Escape', 'escape'],
    ['a', null],
    [' ', null],
    ['Enter', null],
    ['ArrowDown', null],
  ])('%s stands for %s', (key, command) => {
    expect(commandFor(press(key), USUAL)).toBe(command);
  });

  it.each(['ctrlKey', 'metaKey', 'altKey', 'isComposing', 'defaultPrevented'] as const)(
    'does nothing with %s',
    (what) => {
      expect(commandFor(press('j', { [what]: true }), USUAL)).toBeNull();
    },
  );

  it.each([
    '<input>',
    '<input type="search">',
    '<input type="time">',
    '<textarea></textarea>',
    '<select></select>',
    '<div contenteditable="true"></div>',
  ])('does nothing in %s', (html) => {
    expect(commandFor(press('j', { target: element(html) }), USUAL)).toBeNull();
  });

  it.each(['<button></button>', '<input type="checkbox">', '<input type="radio">'])('acts on %s', (html) => {
    expect(commandFor(press('j', { target: element(html) }), USUAL)).toBe('next');
  });

  it('does nothing when single keys are off, except Esc', () => {
    const off = { singleKeys: false, shortcuts: { next: 'n' } };
    expect(['j', 'n'].map((key) => commandFor(press(key), off))).toEqual([null, null]);
    expect(commandFor(press('Escape'), off)).toBe('escape');
  });

  it('that was chosen replaces the default one', () => {
    const chosen = { singleKeys: true, shortcuts: { next: 'n', star: '' } };
    expect(commandFor(press('n'), chosen)).toBe('next');
    expect(commandFor(press('j'), chosen)).toBeNull();
    expect(commandFor(press('s'), chosen)).toBeNull();
  });

  it('is never an inherited member of an object', () => {
    expect(commandFor(press('constructor'), USUAL)).toBeNull();
    expect(keysInForce(Object.create({ next: 'x' }) as Record<string, string>)).toEqual(DEFAULT_KEYS);
  });
});

describe('the key of a press', () => {
  it.each([
    ['a letter', 'j', 'KeyJ', false, 'j'],
    ['a letter with Shift', 'J', 'KeyJ', true, 'J'],
    ['a sign', '/', 'Slash', false, '/'],
    ['a sign with Shift', '?', 'Slash', true, '?'],
    ['a sign that needs Shift elsewhere', '/', 'Digit7', true, '/'],
    ['a digit', '7', 'Digit7', false, '7'],
    ['a letter where another is in the United States', 'a', 'KeyQ', false, 'a'],
    ['a Latin letter with a mark', 'ö', 'Semicolon', false, 'ö'],
    ['a Latin letter that is not of ASCII', 'ğ', 'KeyE', false, 'ğ'],
    ['a Russian letter', 'о', 'KeyJ', false, 'j'],
    ['a Russian letter with Shift', 'О', 'KeyJ', true, 'J'],
    ['a Greek letter', 'ξ', 'KeyJ', false, 'j'],
    ['a Hebrew letter', 'ח', 'KeyJ', false, 'j'],
    ['a Russian letter on a key without a Latin one', 'ж', 'Semicolon', false, 'ж'],
    ['the space bar', ' ', 'Space', false, ''],
    ['a named key', 'Enter', 'Enter', false, ''],
    ['a dead key', 'Dead', 'BracketLeft', false, ''],
    ['a key that an input method takes', 'Process', 'KeyJ', false, ''],
    ['nothing', '', '', false, ''],
  ])('is right for %s', (_, key, code, shiftKey, kept) => {
    expect(keyOf(press(key, { code, shiftKey }))).toBe(kept);
  });

  it.each([
    ['J', false, 'j'],
    ['j', true, 'J'],
    ['J', true, 'J'],
    ['?', true, '?'],
    ['ß', false, 'ß'],
  ])('ignores Caps Lock: %s with Shift %s is %s', (key, shiftKey, kept) => {
    expect(keyOf(press(key, { shiftKey, getModifierState: () => true }))).toBe(kept);
  });

  it.each([
    ['j', ['j']],
    ['A', ['Shift', 'A']],
    ['?', ['?']],
    ['7', ['7']],
    ['文', ['文']],
  ])('%s is written as %j', (key, caps) => {
    expect(keyCaps(key)).toEqual(caps);
  });
});

describe('the current keys', () => {
  it.each<[what: string, shortcuts: Record<string, string>, changes: Partial<Record<string, string>>]>([
    ['the usual ones where nothing was chosen', {}, {}],
    ['the chosen one', { next: 'n' }, { next: 'n' }],
    ['none where none is wanted', { star: '' }, { star: '' }],
    ['the usual one where what was chosen is no key', { next: 'Ctrl+J' }, {}],
    ['the usual one where what was chosen is the space bar', { next: ' ' }, {}],
    ['the chosen one, taken from the command whose usual one it is', { star: 'j' }, { star: 'j', next: '' }],
    ['the first of two that chose the same', { star: 'x', open: 'x' }, { open: 'x', star: '' }],
    ['two that were swapped', { next: 'k', previous: 'j' }, { next: 'k', previous: 'j' }],
    ['commands of a newer version are nobody’s', { teleport: 'j' }, {}],
  ])('are %s', (_, shortcuts, changes) => {
    expect(keysInForce(shortcuts)).toEqual({ ...DEFAULT_KEYS, ...changes });
  });

  it('have no duplicate', () => {
    const keys = SHORTCUT_COMMANDS.map((command) => DEFAULT_KEYS[command]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('say which command has a key', () => {
    expect(holderOf(DEFAULT_KEYS, 'j')).toBe('next');
    expect(holderOf(DEFAULT_KEYS, 'x')).toBeNull();
    expect(holderOf({ ...DEFAULT_KEYS, star: '' }, '')).toBeNull();
  });
});

describe('an assigned key', () => {
  it.each<[what: string, command: 'next' | 'star', key: string, kept: Record<string, string>]>([
    ['to one that nobody else has is kept', 'next', 'n', { next: 'n' }],
    ['as none is kept', 'star', '', { star: '' }],
    ['as the usual one is not kept', 'next', 'j', {}],
    ['to another command swaps the two', 'next', 's', { next: 's', star: 'j' }],
  ])('%s', (_, command, key, kept) => {
    const keys = withKey(DEFAULT_KEYS, command, key);
    expect(shortcutsOf(keys, {})).toEqual(kept);
    expect(keysInForce(shortcutsOf(keys, {}))).toEqual(keys);
  });

  it('that is swapped back leaves nothing to save', () => {
    const swapped = withKey(DEFAULT_KEYS, 'next', 's');
    expect(shortcutsOf(withKey(swapped, 'next', 'j'), {})).toEqual({});
  });

  it('of a command that had none is removed from the other', () => {
    const without = withKey(DEFAULT_KEYS, 'star', '');
    expect(shortcutsOf(withKey(without, 'star', 'j'), {})).toEqual({ star: 'j', next: '' });
  });

  it('leaves the shortcuts of a newer version alone', () => {
    expect(shortcutsOf(withKey(DEFAULT_KEYS, 'next', 'n'), { teleport: 't', star: 'x' })).toEqual({
      teleport: 't',
      next: 'n',
    });
  });
});

describe('an awaited key press', () => {
  it.each([
    ['a letter', press('n', { code: 'KeyN' }), { kind: 'key', key: 'n' }],
    ['a capital', press('N', { code: 'KeyN' }), { kind: 'key', key: 'N' }],
    ['Shift alone', press('Shift', { shiftKey: true }), { kind: 'waiting' }],
    ['a dead key', press('Dead'), { kind: 'waiting' }],
    ['a key of an input method', press('Process', { isComposing: true }), { kind: 'waiting' }],
    ['Esc', press('Escape'), { kind: 'left' }],
    ['Tab', press('Tab'), { kind: 'left' }],
    ['Ctrl and a letter', press('n', { ctrlKey: true }), { kind: 'refused', why: 'modifier' }],
    ['Cmd and a letter', press('n', { metaKey: true }), { kind: 'refused', why: 'modifier' }],
    ['Alt and a letter', press('n', { altKey: true }), { kind: 'refused', why: 'modifier' }],
    ['Enter', press('Enter'), { kind: 'refused', why: 'reserved' }],
    ['an arrow', press('ArrowDown'), { kind: 'refused', why: 'reserved' }],
    ['the space bar', press(' '), { kind: 'refused', why: 'reserved' }],
    ['F1', press('F1'), { kind: 'refused', why: 'reserved' }],
  ])('is understood: %s', (_, given, meant) => {
    expect(captured(given)).toEqual(meant);
  });
});
