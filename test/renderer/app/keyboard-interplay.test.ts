import { cleanup, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { RESOURCES } from '../../../src-main/contract/model/resource.ts';
import { NOW, openCore, STORIES, unreadPicks, type CoreOptions, type CoreWire } from '../support/core.ts';
import { listed } from '../support/listed.ts';
import { openPage } from '../support/page.ts';
import { keyDown } from '../support/reader.ts';
import { settle } from '../support/settle.ts';
import { waitFor } from '../support/wait.ts';

let wire: CoreWire;
let app: AppState;

async function openOn(options: CoreOptions): Promise<void> {
  cleanup();
  wire = await openCore(options);
  ({ app } = await openPage(wire));
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await keyDown(document.activeElement ?? document.body, { key, cancelable: true });
    await settle();
  }
}

const open = (): string | undefined => app.reading.item?.id;

describe('a row whose item is gone', () => {
  /** Two in the middle of the list are gone before their rows are read. */
  beforeEach(async () => {
    await openOn({ items: unreadPicks(1_100) });
    for (const n of [1_000, 1_001]) wire.service.withdraw(`item-${String(n)}`);
    await wire.sync();
    app.feed.list.see(995, 1_005);
    await waitFor(() => expect(listed(app.feed.list).slice(1_000, 1_002)).toEqual([null, null]));
    app.items.openRow((await app.feed.list.row(999))!);
    await settle();
  });

  it('is no end of the list for j and k, and passed over by the arrows', async () => {
    await press('j');
    expect(open()).toBe('item-1002');
    await press('k');
    expect(open()).toBe('item-999');
    await press('ArrowDown');
    expect(open()).toBe('item-1002');
    await press('ArrowUp');
    expect(open()).toBe('item-999');
  });
});

describe('an item over a report', () => {
  const stops = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#archive-reading .citation')];
  const at = (): number => stops().findIndex((stop) => stop.contains(document.activeElement));
  const covered = (): boolean => app.reading.covers('archive');

  it('is left by p, back to its story, and by n and j, which go on in the report', async () => {
    await openOn(STORIES);
    await press('g', 'd');
    await waitFor(() => expect(stops().length).toBeGreaterThan(2));
    await settle();
    await press('n');
    for (const key of ['p', 'n', 'j']) {
      const before = at();
      within(stops()[before]!).getAllByRole('link')[0]!.focus();
      app.navigation.open({ view: 'item', id: app.feed.list.at(2)!.id });
      await settle();
      await settle();
      expect(covered()).toBe(true);
      await press(key);
      await waitFor(() => expect(key === 'p' ? at() === before : at() > before).toBe(true));
      expect([covered(), app.views.current]).toEqual([false, 'archive']);
    }
  });
});

describe('Today', () => {
  const today = () => within(document.querySelector<HTMLElement>('#today-list')!);
  const show = async (): Promise<HTMLElement> => {
    await press('g', 't');
    await waitFor(() => today().getByRole('button', { name: 'Read the daily' }));
    return today().getByRole('group', { name: /^Today/ });
  };

  it('has the focus after g t, so that Space scrolls it; at its end Space goes on to the daily', async () => {
    await openOn(STORIES);
    const page = await show();
    expect(document.activeElement).toBe(page);
    for (const [name, value] of Object.entries({ clientHeight: 500, scrollHeight: 900 })) {
      Object.defineProperty(page, name, { configurable: true, value });
    }
    await press(' ');
    expect([app.views.current, page.scrollTop]).toEqual(['today', 436]);
    page.scrollTop = 400;
    await press(' ');
    expect(app.views.archive.open?.kind).toBe('daily');
  });
});

describe('n', () => {
  it('finds what is folded into rows that were read', async () => {
    // The service says that three of them are reports of one story.
    const story = ['item-0', 'item-3', 'item-8'];
    const read = { readAt: new Date(NOW).toISOString(), starredAt: null };
    const items = unreadPicks(12).map((row) => (story.includes(row.id) ? row : { ...row, state: read }));
    await openOn({ items, synced: RESOURCES });
    await press('n');
    expect(open()).toBe('item-0');
    await press('n');
    expect([open(), app.feed.list.query.state]).toEqual(['item-3', 'unread']);
  });
});
