import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openSection, type SettingsPage } from '../../support/settings-page.ts';
import { settle } from '../../support/settle.ts';

let wire: CoreWire;
let page: SettingsPage;

beforeEach(async () => {
  const state = { readAt: null, starredAt: null };
  wire = await openCore({ items: [0, 1, 2].map((n) => madeUpRow(n, NOW, { inSelectedSet: true, state })) });
  page = await openSection(wire, 'keyboard');
});

const keyOf = (command: string): string => {
  const row = within(page.panel()).getByRole('rowheader', { name: command }).closest('tr')!;
  return row.querySelector('td')!.textContent.replaceAll('\u00a0', ' ').trim();
};

/** Presses a key on the focused element. Returns whether its default action was allowed. */
async function press(key: string, more: KeyboardEventInit = {}): Promise<boolean> {
  const left = await fireEvent.keyDown(document.activeElement!, { key, cancelable: true, ...more });
  await settle();
  return left;
}

async function ask(command: string): Promise<void> {
  const button = page.button(`Change shortcut: ${command}`);
  button.focus();
  await fireEvent.click(button);
  await settle();
}

describe('a shortcut', () => {
  it('is shown with its key', () => {
    expect(['Next item', 'Mark all as read', 'Search', 'Latest daily'].map(keyOf)).toEqual([
      'j',
      'Shift A',
      '/',
      'g d',
    ]);
  });

  it('gets the next key that is pressed, and keeps the focus', async () => {
    await ask('Next item');
    expect(page.says('Press the new key, or Esc to cancel.')).toBe(true);
    expect(await press('x')).toBe(false);
    expect(wire.settings.shortcuts).toEqual({ next: 'x' });
    expect([keyOf('Next item'), page.says('Next item: x')]).toEqual(['x', true]);
    expect(document.activeElement).toBe(page.button('Change shortcut: Next item'));
  });

  it('works from then on, and its old key does not', async () => {
    await ask('Next item');
    await press('x');
    page.app.panel = null;
    await settle();
    await fireEvent.keyDown(window, { key: 'j' });
    expect(page.app.reading.item).toBeNull();
    await fireEvent.keyDown(window, { key: 'x' });
    expect(page.app.reading.item?.id).toBe('item-0');
  });

  it('of a view has a second key, which may be the key of another command', async () => {
    await ask('Latest daily');
    await press('j');
    expect([keyOf('Latest daily'), wire.settings.shortcuts]).toEqual(['g j', { goDaily: 'j' }]);
    expect(page.says('Latest daily: g, then j')).toBe(true);
  });

  it('is not changed by Esc, which closes nothing else', async () => {
    await ask('Next item');
    expect(await press('Escape')).toBe(false);
    expect([keyOf('Next item'), page.app.panel]).toEqual(['j', 'settings']);
    expect(page.says(/Press the new key/)).toBe(false);
  });

  it('is not changed by Tab, which moves the focus', async () => {
    await ask('Next item');
    expect(await press('Tab')).toBe(true);
    expect(page.says(/Press the new key/)).toBe(false);
  });

  it('is not changed when the focus moves away', async () => {
    await ask('Next item');
    page.field('Single-key shortcuts').focus();
    await settle();
    expect(page.says(/Press the new key/)).toBe(false);
  });

  it.each([
    ['x', { ctrlKey: true }, /Shortcuts can’t include/],
    ['Enter', {}, /reserved for lists and buttons/],
    ['ArrowDown', {}, /reserved for lists and buttons/],
  ])('says why it refuses %s %j, and keeps waiting', async (key, more, said) => {
    await ask('Next item');
    await press(key, more);
    expect(page.says(said)).toBe(true);
    await press('x');
    expect(keyOf('Next item')).toBe('x');
  });

  it('waits for another key after Shift', async () => {
    await ask('Next item');
    await press('Shift', { shiftKey: true });
    await press('N', { shiftKey: true });
    expect([keyOf('Next item'), wire.settings.shortcuts]).toEqual(['Shift N', { next: 'N' }]);
  });

  it('can have no key, and be reset to its default', async () => {
    await page.click('Clear shortcut: Search');
    expect([keyOf('Search'), wire.settings.shortcuts]).toEqual(['None', { search: '' }]);
    await page.click('Reset shortcut: Search');
    expect([keyOf('Search'), wire.settings.shortcuts]).toEqual(['/', {}]);
  });

  it('says if it could not be saved', async () => {
    wire.failing.set('settings.set', { code: 'data_read_only', message: '', retryable: false });
    await page.click('Clear shortcut: Search');
    expect([keyOf('Search'), page.says(/Can’t write to this folder/)]).toEqual(['/', true]);
  });
});

describe('a key that another command has', () => {
  it('is swapped after confirmation', async () => {
    await ask('Next item');
    await press('k');
    expect(page.says('k is already used for “Previous item”.')).toBe(true);
    expect(document.activeElement?.textContent).toBe('Cancel');
    await page.click('Swap keys');
    expect(['Next item', 'Previous item'].map(keyOf)).toEqual(['k', 'j']);
    expect(document.activeElement).toBe(page.button('Change shortcut: Next item'));
  });

  it('stays with it if the user cancels', async () => {
    await ask('Next item');
    await press('k');
    await page.click('Cancel');
    expect(['Next item', 'Previous item'].map(keyOf)).toEqual(['j', 'k']);
    expect(document.activeElement).toBe(page.button('Change shortcut: Next item'));
    await ask('Next item');
    await press('k');
    expect(await press('Escape')).toBe(false);
    expect([keyOf('Previous item'), page.app.panel]).toEqual(['k', 'settings']);
  });

  it('is taken from it by a command that has none', async () => {
    await page.click('Clear shortcut: Next item');
    await ask('Next item');
    await press('k');
    await page.click('Use it here instead');
    expect(['Next item', 'Previous item'].map(keyOf)).toEqual(['k', 'None']);
  });

  it('needs confirmation on a reset as well', async () => {
    await ask('Next item');
    await press('s');
    await page.click('Swap keys');
    await page.click('Reset shortcut: Next item');
    expect(page.says('j is already used for “Add or remove star”.')).toBe(true);
    await page.click('Swap keys');
    expect(wire.settings.shortcuts).toEqual({});
  });
});

describe('all shortcuts', () => {
  it('are reset at once', async () => {
    expect(page.button('Reset all shortcuts').disabled).toBe(true);
    await page.click('Clear shortcut: Search');
    await page.click('Clear shortcut: Next item');
    await page.click('Reset all shortcuts');
    expect([wire.settings.shortcuts, page.says('All shortcuts reset.')]).toEqual([{}, true]);
  });

  it('are marked as disabled while single keys are off', async () => {
    await page.choose('Single-key shortcuts');
    expect(wire.settings.singleKeys).toBe(false);
    expect(page.says(/These shortcuts do nothing/)).toBe(true);
  });

  it('are listed in the help with their current keys', async () => {
    await page.click('Clear shortcut: Search');
    await ask('Next item');
    await press('x');
    page.app.panel = 'help';
    const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }, { timeout: 20_000 });
    const rows = within(help)
      .getAllByRole('row')
      .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.replace(/\s+/g, ' ').trim()));
    expect(rows).toContainEqual(['x', 'Next item']);
    expect(rows).toContainEqual(['o or Enter', 'Read original']);
    expect(rows).toContainEqual(['g d', 'Latest daily']);
    expect(rows).toContainEqual([
      'Space or Shift Space',
      'Scroll the article, then open the next unread; with Shift, scroll back',
    ]);
    expect(rows.map(([, what]) => what)).not.toContain('Search');
  });
});
