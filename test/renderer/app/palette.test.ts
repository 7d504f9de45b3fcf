import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { openApp, openPage } from '../support/page.ts';
import { keyDown, typeInto } from '../support/reader.ts';
import { settle } from '../support/settle.ts';

let wire: CoreWire;
let app: AppState;

async function open(language: 'en' | 'zh-CN' = 'en'): Promise<void> {
  const items = [0, 1, 2, 3].map((n) => madeUpRow(n, NOW, { inSelectedSet: true }));
  wire = await openCore({ items, settings: { language } });
  ({ app } = await openPage(wire));
}

beforeEach(() => {
  localStorage.clear();
});

/** Presses Ctrl+K at an element, and waits for the palette. */
async function palette(target: Element | Window = window): Promise<HTMLElement> {
  await keyDown(target, { key: 'k', ctrlKey: true });
  const dialog = await screen.findByRole('dialog', { name: /^(Command palette|命令面板)$/ });
  await settle();
  return dialog;
}

const boxIn = (dialog: HTMLElement): HTMLElement => dialog.querySelector<HTMLElement>('[role=combobox]')!;
/** A query by role would look for what hides each of two hundred options. */
const optionsIn = (dialog: HTMLElement): string[] =>
  [...dialog.querySelectorAll('[role=option]')].map((option) => option.getAttribute('aria-label') ?? '');

async function type(dialog: HTMLElement, text: string): Promise<void> {
  await typeInto(boxIn(dialog), text);
}

async function press(dialog: HTMLElement, key: string): Promise<void> {
  await keyDown(boxIn(dialog), { key });
}

describe('the palette', () => {
  it('opens and closes with Ctrl or Cmd and K, opens with a key that can be changed, also over a dialog', async () => {
    await open();
    const dialog = await palette();
    expect(document.activeElement).toBe(boxIn(dialog));
    await keyDown(boxIn(dialog), { key: 'k', metaKey: true });
    expect(screen.queryByRole('dialog')).toBeNull();
    await press(await palette(), 'Escape');
    expect(app.paletteOpen).toBe(false);
    await fireEvent.keyDown(window, { key: ':' });
    expect(app.paletteOpen).toBe(true);
    app.paletteOpen = false;
    await app.settings.set({ shortcuts: { palette: 'x' } });
    await fireEvent.keyDown(window, { key: 'x' });
    expect(app.paletteOpen).toBe(true);
    app.paletteOpen = false;
    app.openSettings('general');
    const settings = await screen.findByRole('dialog', { name: 'Settings' });
    const field = document.createElement('input');
    settings.append(field);
    // A single key types a letter there.
    await fireEvent.keyDown(field, { key: 'x' });
    expect(app.paletteOpen).toBe(false);
    const over = await palette(field);
    expect(app.panel).toBe('settings');
    await press(over, 'Escape');
    expect(app.panel).toBe('settings');
    const again = await palette(field);
    await type(again, 'starred');
    await press(again, 'Enter');
    expect([app.panel, app.feed.list.query.state]).toEqual([null, 'starred']);
  });

  it('names every command, view and category, finds by words and initials, and is walked by the arrows', async () => {
    await open();
    const dialog = await palette();
    const names = optionsIn(dialog);
    for (const name of [
      'Mark all as read',
      'Undo',
      'Refresh now',
      'Hot topics',
      'Models',
      'Category: Papers',
      'Settings: Sync and data',
    ]) {
      expect(names).toContain(name);
    }
    const row = dialog.querySelector('[role=option][aria-label="Hot topics"]')!;
    expect([...row.querySelectorAll('kbd')].map((cap) => cap.textContent)).toEqual(['g', 'h']);
    expect(new Set(names).size).toBe(names.length);
    await type(dialog, 'qqqq');
    expect(within(dialog).getByRole('status').textContent).toBe('No command, view or recent item matches “qqqq”.');
    expect(optionsIn(dialog)).toEqual(['Search for “qqqq”']);
    await type(dialog, 'ht');
    expect(optionsIn(dialog)[0]).toBe('Hot topics');
    await press(dialog, 'Enter');
    expect([app.views.current, app.paletteOpen]).toEqual(['hotTopics', false]);
    const again = await palette();
    await type(again, 'theme');
    const active = (): string | undefined =>
      document.getElementById(boxIn(again).getAttribute('aria-activedescendant') ?? '')?.ariaLabel ?? undefined;
    expect(active()).toBe('Theme: System');
    await press(again, 'ArrowDown');
    await press(again, 'ArrowDown');
    expect(active()).toBe('Theme: Dark');
    // Around the ends.
    await press(again, 'ArrowDown');
    expect(active()).toBe('Theme: System');
    await press(again, 'ArrowUp');
    await press(again, 'Enter');
    expect(wire.settings.theme).toBe('dark');
    expect(within(document.body).queryByRole('dialog')).toBeNull();
  });

  it('opens saved searches and what is muted', async () => {
    await open();
    await app.rules.save('My agents', 'agent');
    await settle();
    const dialog = await palette();
    expect(within(dialog).queryAllByRole('group', { name: 'Saved searches' })).toHaveLength(1);
    await type(dialog, 'my agents');
    await press(dialog, 'Enter');
    expect(app.feed.list.query.saved).toBe(app.rules.searches[0]?.id);
    const again = await palette();
    await type(again, 'muted');
    await press(again, 'Enter');
    expect(app.feed.list.query.muted).toBe(true);
  });

  it('offers the sources after the views, and opens the view of one', async () => {
    await open();
    const dialog = await palette();
    const titles = within(dialog)
      .getAllByRole('group')
      .map(
        (group) =>
          group.getAttribute('aria-label') ??
          document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent,
      );
    expect(titles.slice(0, 3)).toEqual(['Views', 'Sources', 'Categories']);
    await type(dialog, 'northlight');
    expect(optionsIn(dialog)[0]).toBe('Northlight Blog');
    await press(dialog, 'Enter');
    expect([app.paletteOpen, app.feed.list.query.source]).toEqual([false, 'Northlight Blog']);
  });

  it('finds English names in Chinese, and Chinese ones in English', async () => {
    await open('zh-CN');
    const dialog = await palette();
    await type(dialog, 'hot top');
    expect(optionsIn(dialog)).toEqual(['热点榜']);
    await type(dialog, '热榜');
    expect(optionsIn(dialog)).toEqual(['热点榜']);
    await press(dialog, 'Escape');
    await app.settings.set({ language: 'en' });
    const english = await palette();
    await type(english, '热点榜');
    expect(optionsIn(english)).toContain('Hot topics');
  });

  it('offers what was opened last, also before the page was loaded again, and nothing that is gone', async () => {
    await open();
    app.items.open(wire.rows[3]!);
    await settle();
    app.items.open(wire.rows[1]!);
    await settle();
    app.navigation.show({ kind: 'everything' });
    const titles = [wire.rows[1]!.title, wire.rows[3]!.title];
    expect(optionsIn(await palette()).slice(0, 2)).toEqual(titles);
    app.paletteOpen = false;
    await settle();
    expect(localStorage.getItem('broadsheet.recent')).not.toContain(titles[0]);
    await wire.withdraw(wire.rows[1]!.id);
    const dialog = await palette();
    expect(optionsIn(dialog)[0]).toBe(titles[1]);
    await press(dialog, 'Enter');
    expect(app.reading.item?.title).toBe(titles[1]);
    await open();
    expect(optionsIn(await palette())[0]).toBe(titles[1]);
  });

  it('takes a damaged storage for empty', async () => {
    wire = await openCore();
    for (const stored of ['{', '"x"', '[1, null, "item", "broadsheet://item/%00"]', '[]']) {
      localStorage.setItem('broadsheet.recent', stored);
      const { recents } = await openApp(wire);
      await settle();
      expect([stored, recents.shown]).toEqual([stored, []]);
    }
  });
});
