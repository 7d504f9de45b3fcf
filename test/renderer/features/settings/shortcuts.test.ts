import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keyCaps } from '../../../../src-renderer/ui/controls/key-caps.ts';
import {
  captured,
  commandFor,
  goCommandFor,
  historyStep,
  keyOf,
  keysInForce,
  keysOf,
  shortcutsOf,
  DEFAULT_KEYS,
  withKey,
  type KeyPress,
} from '../../../../src-renderer/features/settings/shortcuts.ts';

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
    ['A', 'markAllRead'],
    ['/', 'search'],
    ['Escape', 'escape'],
    ['a', null],
    ['d', null],
    ['Enter', null],
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
    const off = { singleKeys: false, shortcuts: { next: 'x' } };
    expect(['j', 'x'].map((key) => commandFor(press(key), off))).toEqual([null, null]);
    expect(commandFor(press('Escape'), off)).toBe('escape');
  });

  it('that was chosen replaces the default one', () => {
    const chosen = { singleKeys: true, shortcuts: { next: 'x', star: '' } };
    expect(commandFor(press('x'), chosen)).toBe('next');
    expect(commandFor(press('j'), chosen)).toBeNull();
    expect(commandFor(press('s'), chosen)).toBeNull();
    // Not that of the command without a key.
    expect(commandFor(press('Enter'), chosen)).toBeNull();
  });

  it('is never an inherited member of an object', () => {
    expect(commandFor(press('constructor'), USUAL)).toBeNull();
    expect(keysInForce(Object.create({ next: 'x' }) as Record<string, string>)).toEqual(DEFAULT_KEYS);
  });
});

describe('the space bar', () => {
  const space = (html: string, shiftKey = false): ReturnType<typeof commandFor> =>
    commandFor(press(' ', { target: element(html), shiftKey }), USUAL);

  it.each([
    '<div role="listbox" tabindex="0"></div>',
    '<div tabindex="0"></div>',
    '<a href="#x">x</a>',
    '<button aria-current="true"></button>',
  ])('scrolls from %s, back with Shift', (html) => {
    expect([space(html), space(html, true)]).toEqual(['pageDown', 'pageUp']);
  });

  it.each([
    '<button></button>',
    '<input>',
    '<input type="checkbox">',
    '<select></select>',
    '<textarea></textarea>',
    '<div role="tab"></div>',
    '<div role="grid"></div>',
    '<div role="combobox"></div>',
  ])('is left to %s', (html) => {
    expect(space(html)).toBeNull();
  });

  it('is no single key that can be switched off', () => {
    expect(commandFor(press(' '), { singleKeys: false, shortcuts: {} })).toBe('pageDown');
  });
});

describe('Ctrl or Cmd with Z', () => {
  it.each([{ ctrlKey: true }, { metaKey: true }])('undoes: %j', (modifier) => {
    const off = { singleKeys: false, shortcuts: {} };
    expect(commandFor(press('z', modifier), off)).toBe('undo');
    expect(commandFor(press('я', { code: 'KeyZ', ...modifier }), off)).toBe('undo');
    expect(commandFor(press('Z', { code: 'KeyZ', ...modifier, getModifierState: () => true }), off)).toBe('undo');
    expect(commandFor(press('z', { ...modifier, shiftKey: true }), off)).toBeNull();
    expect(commandFor(press('z', { ...modifier, altKey: true }), off)).toBeNull();
    expect(commandFor(press('z', { ...modifier, target: element('<input>') }), off)).toBeNull();
  });
});

describe('a field or a button of a dialog that was closed', () => {
  it('has the focus for a moment, but not the keys', () => {
    const field = element('<dialog open><input></dialog>').querySelector('input')!;
    expect(commandFor(press('/', { target: field }), USUAL)).toBeNull();
    field.closest('dialog')!.open = false;
    expect(commandFor(press('/', { target: field }), USUAL)).toBe('search');
    expect(goCommandFor(press('d', { target: field }), USUAL)).toBe('goDaily');
    const button = element('<dialog><button>Close</button></dialog>').querySelector('button')!;
    expect(commandFor(press(' ', { target: button }), USUAL)).toBe('pageDown');
  });
});

describe('Alt with an arrow', () => {
  it('goes back and forward through the places, in text fields too', () => {
    expect(historyStep(press('ArrowLeft', { altKey: true }))).toBe(-1);
    expect(historyStep(press('ArrowRight', { altKey: true, target: element('<input>') }))).toBe(1);
    for (const changes of [{}, { altKey: true, shiftKey: true }, { altKey: true, ctrlKey: true }, { metaKey: true }]) {
      expect(historyStep(press('ArrowLeft', changes))).toBeNull();
    }
    expect(historyStep(press('ArrowLeft', { altKey: true, repeat: true }))).toBeNull();
  });

  it('is left to the text on macOS, where Cmd with a bracket does the same', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(historyStep(press('ArrowLeft', { altKey: true }))).toBeNull();
    expect(historyStep(press('[', { metaKey: true }))).toBe(-1);
    expect(historyStep(press(']', { metaKey: true }))).toBe(1);
    expect(historyStep(press('[', { altKey: true }))).toBeNull();
  });
});

describe('a key that is held down', () => {
  it('goes on reading, and toggles nothing', () => {
    expect(['j', 'k', 'n', 'p', ' '].map((key) => commandFor(press(key, { repeat: true }), USUAL))).toEqual([
      'next',
      'previous',
      'nextUnread',
      'back',
      'pageDown',
    ]);
    expect(['m', 's', 'A', 'z', 'o', 'g'].map((key) => commandFor(press(key, { repeat: true }), USUAL))).toEqual(
      Array.from({ length: 6 }, () => null),
    );
  });
});

describe('the second key of a view', () => {
  it.each([
    ['d', {}, 'goDaily'],
    ['h', {}, 'goHotTopics'],
    ['D', { getModifierState: () => true }, 'goDaily'],
    ['в', { code: 'KeyD' }, 'goDaily'],
    ['Shift', { shiftKey: true }, 'waiting'],
    ['x', {}, 'none'],
    ['Escape', {}, 'none'],
    ['d', { ctrlKey: true }, 'other'],
    ['d', { isComposing: true }, 'other'],
  ])('%s %j means %s', (key, changes, meant) => {
    expect(goCommandFor(press(key, changes), USUAL)).toBe(meant);
  });

  it('is no command in a text field', () => {
    expect(goCommandFor(press('d', { target: element('<input>') }), USUAL)).toBe('other');
  });

  it('can be chosen, and may be the key of another command', () => {
    const keys = withKey(DEFAULT_KEYS, 'goDaily', 'j');
    expect([keys.goDaily, keys.next]).toEqual(['j', 'j']);
    expect(keysOf(keys, 'goDaily')).toEqual(['g', 'j']);
    expect(keysInForce(shortcutsOf(keys, {}))).toEqual(keys);
    expect(goCommandFor(press('j'), { singleKeys: true, shortcuts: shortcutsOf(keys, {}) })).toBe('goDaily');
  });

  it('is of no use without the first', () => {
    expect(keysOf(withKey(DEFAULT_KEYS, 'go', ''), 'goDaily')).toEqual([]);
  });
});

describe('the key of a press', () => {
  it.each([
    ['a letter with Shift', 'J', 'KeyJ', true, 'J'],
    ['a sign that needs Shift elsewhere', '/', 'Digit7', true, '/'],
    ['a digit', '7', 'Digit7', false, '7'],
    ['a letter where another is in the United States', 'a', 'KeyQ', false, 'a'],
    ['a Latin letter that is not of ASCII', 'ğ', 'KeyE', false, 'ğ'],
    ['a Russian letter', 'о', 'KeyJ', false, 'j'],
    ['a Russian letter with Shift', 'О', 'KeyJ', true, 'J'],
    ['a Hebrew letter', 'ח', 'KeyJ', false, 'j'],
    ['a Russian letter on a key without a Latin one', 'ж', 'Semicolon', false, 'ж'],
    ['the space bar', ' ', 'Space', false, ''],
    ['a named key', 'Enter', 'Enter', false, ''],
  ])('is right for %s', (_, key, code, shiftKey, kept) => {
    expect(keyOf(press(key, { code, shiftKey }))).toBe(kept);
  });

  it.each([
    ['J', false, 'j'],
    ['j', true, 'J'],
    ['?', true, '?'],
  ])('ignores Caps Lock: %s with Shift %s is %s', (key, shiftKey, kept) => {
    expect(keyOf(press(key, { shiftKey, getModifierState: () => true }))).toBe(kept);
  });

  it.each([
    ['j', ['j']],
    ['A', ['Shift', 'A']],
    ['文', ['文']],
  ])('%s is written as %j', (key, caps) => {
    expect(keyCaps(key)).toEqual(caps);
  });
});

describe('the current keys', () => {
  it.each<[what: string, shortcuts: Record<string, string>, changes: Partial<Record<string, string>>]>([
    ['the usual ones where nothing was chosen', {}, {}],
    ['the chosen one', { next: 'x' }, { next: 'x' }],
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
});

describe('an assigned key', () => {
  it.each<[what: string, command: 'next' | 'star', key: string, kept: Record<string, string>]>([
    ['to one that nobody else has is kept', 'next', 'x', { next: 'x' }],
    ['as none is kept', 'star', '', { star: '' }],
    ['as the usual one is not kept', 'next', 'j', {}],
    ['to another command swaps the two', 'next', 's', { next: 's', star: 'j' }],
  ])('%s', (_, command, key, kept) => {
    const keys = withKey(DEFAULT_KEYS, command, key);
    expect(shortcutsOf(keys, {})).toEqual(kept);
    expect(keysInForce(shortcutsOf(keys, {}))).toEqual(keys);
  });

  it('of a command that had none is removed from the other', () => {
    const without = withKey(DEFAULT_KEYS, 'star', '');
    expect(shortcutsOf(withKey(without, 'star', 'j'), {})).toEqual({ star: 'j', next: '' });
  });

  it('leaves the shortcuts of a newer version alone', () => {
    expect(shortcutsOf(withKey(DEFAULT_KEYS, 'next', 'x'), { teleport: 't', star: 'y' })).toEqual({
      teleport: 't',
      next: 'x',
    });
  });
});

describe('an awaited key press', () => {
  it.each([
    ['a capital', press('N', { code: 'KeyN' }), { kind: 'key', key: 'N' }],
    ['Shift alone', press('Shift', { shiftKey: true }), { kind: 'waiting' }],
    ['a dead key', press('Dead'), { kind: 'waiting' }],
    ['a key of an input method', press('Process', { isComposing: true }), { kind: 'waiting' }],
    ['Esc', press('Escape'), { kind: 'left' }],
    ['Tab', press('Tab'), { kind: 'left' }],
    ['Ctrl and a letter', press('n', { ctrlKey: true }), { kind: 'refused', why: 'modifier' }],
    ['Alt and a letter', press('n', { altKey: true }), { kind: 'refused', why: 'modifier' }],
    ['an arrow', press('ArrowDown'), { kind: 'refused', why: 'reserved' }],
    ['the space bar', press(' '), { kind: 'refused', why: 'reserved' }],
  ])('is understood: %s', (_, given, meant) => {
    expect(captured(given)).toEqual(meant);
  });
});
