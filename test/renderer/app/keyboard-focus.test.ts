import { screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { openCore, unreadPicks } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { press } from '../support/reader.ts';
import { settle } from '../support/settle.ts';

it('the list keeps the focus on its active row when it is loaded again, also if that took so long that it was gone', async () => {
  const wire = await openCore({ items: unreadPicks(40) });
  const { app } = await openPage(wire);
  const list = (): HTMLElement => screen.getByRole('listbox');
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
