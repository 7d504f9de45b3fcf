import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openShortcuts, type SettingsPage } from '../../support/settings-page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

let wire: CoreWire;
let page: SettingsPage;

beforeEach(async () => {
  wire = await openCore({ items: [madeUpRow(0, NOW, { inSelectedSet: true })] });
  page = await openShortcuts(wire);
});

/** A query by role would compute the names of fifty buttons. */
const buttonOf = (command: string): HTMLButtonElement =>
  [...page.panel().querySelectorAll('button')].find((button) =>
    button.textContent.endsWith(`, change shortcut: ${command}`),
  )!;
const keyOf = (command: string): string =>
  buttonOf(command).textContent.replaceAll('\u00a0', ' ').split(', change')[0]!.trim();

/** Presses a key on the focused element. Returns whether its default action was allowed. */
function press(key: string, more: KeyboardEventInit = {}): Promise<boolean> {
  return keyDown(document.activeElement!, { key, cancelable: true, ...more });
}

async function ask(command: string): Promise<void> {
  const button = buttonOf(command);
  button.focus();
  await clickOn(button);
}

async function clear(command: string): Promise<void> {
  await ask(command);
  await press('Backspace');
}

describe('a shortcut', () => {
  it('gets the next key that is pressed, with Shift too, or none, says why it refuses one, and keeps the focus', async () => {
    await ask('Next item');
    expect(page.says('Press the new key, Backspace for none, or Esc to cancel.')).toBe(true);
    for (const [key, more, said] of [
      ['x', { ctrlKey: true }, /Shortcuts can’t include/],
      ['Enter', {}, /reserved for lists and buttons/],
    ] as const) {
      await press(key, more);
      expect([key, page.says(said)]).toEqual([key, true]);
    }
    expect(await press('x')).toBe(false);
    expect(wire.settings.shortcuts).toEqual({ next: 'x' });
    expect([keyOf('Next item'), page.says('Next item: x')]).toEqual(['x', true]);
    expect(document.activeElement).toBe(buttonOf('Next item'));

    await ask('Next item');
    await press('Shift', { shiftKey: true });
    await press('N', { shiftKey: true });
    expect([keyOf('Next item'), wire.settings.shortcuts]).toEqual(['Shift N', { next: 'N' }]);

    await clear('Next item');
    expect([keyOf('Next item'), wire.settings.shortcuts]).toEqual(['None', { next: '' }]);
    await ask('Next item');
    await press('j');
    expect([keyOf('Next item'), wire.settings.shortcuts]).toEqual(['j', {}]);
  });

  it('is not changed by Esc, by Tab, or when the focus moves away', async () => {
    const waits = (): boolean => page.says(/Press the new key/);
    await ask('Next item');
    expect(await press('Escape')).toBe(false);
    // Esc closes nothing else.
    expect([keyOf('Next item'), page.app.panel, waits()]).toEqual(['j', 'help', false]);
    await ask('Next item');
    expect([await press('Tab'), waits()]).toEqual([true, false]);
    await ask('Next item');
    expect(waits()).toBe(true);
    page.field('Single-key shortcuts').focus();
    await settle();
    expect([keyOf('Next item'), waits()]).toEqual(['j', false]);
  });
});

describe('a key that another command has', () => {
  it('is swapped after confirmation, and stays with it if the user cancels', async () => {
    await ask('Next item');
    await press('k');
    await page.click('Cancel');
    expect(['Next item', 'Previous item'].map(keyOf)).toEqual(['j', 'k']);
    expect(document.activeElement).toBe(buttonOf('Next item'));
    await ask('Next item');
    await press('k');
    expect(await press('Escape')).toBe(false);
    expect([keyOf('Previous item'), page.app.panel]).toEqual(['k', 'help']);

    await ask('Next item');
    await press('k');
    expect(page.says('k is already used for “Previous item”.')).toBe(true);
    expect(document.activeElement?.textContent).toBe('Cancel');
    await page.click('Swap keys');
    expect(['Next item', 'Previous item'].map(keyOf)).toEqual(['k', 'j']);
    expect(document.activeElement).toBe(buttonOf('Next item'));
  });
});

describe('all shortcuts', () => {
  it('are reset at once, and marked as disabled while single keys are off', async () => {
    expect(page.button('Reset all shortcuts').disabled).toBe(true);
    await clear('Search');
    await clear('Next item');
    await page.click('Reset all shortcuts');
    expect([wire.settings.shortcuts, page.says('All shortcuts reset.')]).toEqual([{}, true]);
    await page.choose('Single-key shortcuts');
    expect(wire.settings.singleKeys).toBe(false);
    expect(page.says(/These keys do nothing/)).toBe(true);
  });
});
