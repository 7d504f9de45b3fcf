import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, STORIES, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { waitFor } from '../support/wait.ts';

const SLOWLY = { timeout: 50_000 };

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  const state = { readAt: null, starredAt: null };
  wire = await openCore({
    items: Array.from({ length: 40 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true, state })),
  });
  ({ app } = await openPage(wire));
});

const list = (): HTMLElement => screen.getByRole('listbox');

/** Presses a key where the focus is, as a keyboard does. Returns true if the browser's own action was allowed. */
async function press(key: string, more: KeyboardEventInit = {}): Promise<boolean> {
  const allowed = await fireEvent.keyDown(document.activeElement ?? document.body, { key, cancelable: true, ...more });
  await settle();
  return allowed;
}

describe('the focus of the list', () => {
  it('is real after j on the page itself, or on a button of the sidebar', async () => {
    expect(document.activeElement).toBe(document.body);
    await press('j');
    expect(document.activeElement).toBe(list());
    await press('ArrowDown');
    expect(app.reading.item?.id).toBe('item-1');
    await press('End');
    expect(app.reading.item?.id).toBe('item-39');
    await press('Home');
    expect(app.reading.item?.id).toBe('item-0');
    await press('PageDown');
    expect(app.reading.item?.id).not.toBe('item-0');
    within(screen.getByRole('navigation', { name: 'Views' }))
      .getByRole('button', { name: /^Saved/ })
      .focus();
    await press('k');
    expect(document.activeElement).toBe(list());
    // Rows never have it.
    expect(list().querySelector('[role=option][tabindex]')).toBeNull();
  });

  it('stays on the active row when the list is loaded again, also if that took so long that it was taken away', async () => {
    await press('j');
    await press('j');
    await app.feed.reload();
    await settle();
    expect(document.activeElement).toBe(list());
    expect(list().getAttribute('aria-activedescendant')).toBe('item-item-1');
    await press('ArrowDown');
    expect(app.reading.item?.id).toBe('item-2');

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    await press('j');
    let open = (): void => undefined;
    wire.gate = new Promise((resolve) => (open = resolve));
    const loading = app.feed.reload();
    vi.advanceTimersByTime(200);
    vi.useRealTimers();
    await settle();
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    open();
    wire.gate = null;
    await loading;
    await settle();
    expect(document.activeElement).toBe(list());
  });

  it('is on the list of stories, whose open row is the active one', async () => {
    cleanup();
    ({ app } = await openPage(await openCore(STORIES)));
    app.navigation.showView('stories');
    await waitFor(() => screen.getByRole('heading', { name: 'Topics' }), SLOWLY);
    await settle();
    const stories = screen.getByRole('listbox', { name: /^Topics/ });
    const active = (): string | null => stories.getAttribute('aria-activedescendant');
    await press('j');
    const first = active();
    expect([document.activeElement, first === null]).toEqual([stories, false]);
    await press('j');
    expect([document.activeElement, active() === first]).toEqual([stories, false]);
  });
});

describe('two rows stay visible beyond the active one', () => {
  const HEIGHT = 900;

  beforeEach(() => {
    Object.defineProperty(list(), 'clientHeight', { configurable: true, value: HEIGHT });
  });

  it('below while moving down, above while moving up, and none at the ends', async () => {
    const rowHeight = Number.parseFloat(list().querySelector<HTMLElement>('[role=option]')!.style.height);
    const rounded = (rows: number): number => Math.round(rows * 1000) / 1000;
    const room = (): { above: number; below: number } => {
      const at = Number(app.reading.item!.id.slice('item-'.length));
      return {
        above: rounded((at * rowHeight - list().scrollTop) / rowHeight),
        below: rounded((list().scrollTop + HEIGHT - (at + 1) * rowHeight) / rowHeight),
      };
    };
    await press('j');
    expect(list().scrollTop).toBe(0);
    for (let n = 1; n < 20; n += 1) {
      await press('j');
      expect(room().below).toBeGreaterThanOrEqual(2);
    }
    for (let n = 1; n < 15; n += 1) {
      await press('k');
      expect(room().above).toBeGreaterThanOrEqual(2);
    }
    await press('Home');
    expect(list().scrollTop).toBe(0);
  });
});

describe('a dialog that closes', () => {
  const closeSlowly = (dialog: HTMLDialogElement): void => {
    // As in a browser: it is closed at once, and tells of it in a task of its own.
    dialog.open = false;
  };

  beforeEach(async () => {
    await press('?');
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }, SLOWLY);
  });

  it('takes every key while it is open, and lets the very next key through', async () => {
    await press('j');
    expect(app.history.isPreview('feed')).toBe(true);
    const dialog = screen.getByRole<HTMLDialogElement>('dialog');
    closeSlowly(dialog);
    await press('j');
    expect(app.reading.item?.id).toBe('item-0');
    dialog.dispatchEvent(new Event('close'));
    await settle();
    expect(app.panel).toBeNull();
    expect(document.activeElement).toBe(list());
  });

  it('can be opened again by the very next key', async () => {
    const dialog = screen.getByRole<HTMLDialogElement>('dialog');
    closeSlowly(dialog);
    await press('?');
    dialog.dispatchEvent(new Event('close'));
    await settle();
    expect(app.panel).toBe('help');
  });

  it('leaves the focus in the list if what had it is gone', async () => {
    (document.activeElement as HTMLElement).blur();
    screen.getByRole<HTMLDialogElement>('dialog').close();
    await settle();
    expect(document.activeElement).toBe(list());
  });
});
