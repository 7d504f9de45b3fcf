import { screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { openCore, unreadPicks, type CoreWire } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { press } from '../support/reader.ts';
import { settle } from '../support/settle.ts';
import { waitFor } from '../support/wait.ts';

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore({ items: unreadPicks(40) });
  ({ app } = await openPage(wire));
});

const list = (): HTMLElement => screen.getByRole('listbox');

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
    await waitFor(() => expect(document.activeElement).toBe(list()));
    expect(list().getAttribute('aria-activedescendant')).toBe('item-item-1');
    await press('ArrowDown');
    expect(app.reading.item?.id).toBe('item-2');

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    await press('j');
    const open = wire.hold();
    const loading = app.feed.reload();
    vi.advanceTimersByTime(200);
    vi.useRealTimers();
    await settle();
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    open();
    await loading;
    await settle();
    expect(document.activeElement).toBe(list());
  });
});

describe('a dialog that closes', () => {
  const closeSlowly = (dialog: HTMLDialogElement): void => {
    // As in a browser: it is closed at once, and tells of it in a task of its own.
    dialog.open = false;
  };

  beforeEach(async () => {
    await press('?');
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  });

  it('takes every key while it is open, and lets the very next one through, which may open it again; the list gets the focus', async () => {
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

    await press('?');
    const again = await screen.findByRole<HTMLDialogElement>('dialog');
    closeSlowly(again);
    await press('?');
    again.dispatchEvent(new Event('close'));
    await settle();
    expect(app.panel).toBe('help');

    (document.activeElement as HTMLElement).blur();
    screen.getByRole<HTMLDialogElement>('dialog').close();
    await settle();
    expect(document.activeElement).toBe(list());
  });
});
