import { describe, expect, it } from 'vitest';
import { commandFor, type KeyPress } from '../../../src-renderer/lib/shortcuts.ts';

function press(key: string, changes: Partial<KeyPress> = {}): KeyPress {
  return {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
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
    ['?', 'help'],
    ['Escape', 'escape'],
  ])('%s asks for %s', (key, command) => {
    expect(commandFor(press(key), true)).toBe(command);
  });

  it.each(['ctrlKey', 'metaKey', 'altKey', 'isComposing', 'defaultPrevented'] as const)(
    'does nothing with %s',
    (what) => {
      expect(commandFor(press('j', { [what]: true }), true)).toBeNull();
    },
  );

  it.each([
    '<input>',
    '<input type="search">',
    '<textarea></textarea>',
    '<select></select>',
    '<div contenteditable="true"></div>',
  ])('does nothing in %s', (html) => {
    expect(commandFor(press('j', { target: element(html) }), true)).toBeNull();
  });

  it.each(['<button></button>', '<input type="checkbox">', '<input type="radio">'])('acts on %s', (html) => {
    expect(commandFor(press('j', { target: element(html) }), true)).toBe('next');
  });

  it('does nothing when single keys are off, save Esc', () => {
    expect(commandFor(press('j'), false)).toBeNull();
    expect(commandFor(press('Escape'), false)).toBe('escape');
  });

  it('is not found among what every object has', () => {
    expect(commandFor(press('constructor'), true)).toBeNull();
  });
});
