import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { NOW, openCore, STORIES } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { pressGo, shown } from '../support/shown-view.ts';

const unread = { inSelectedSet: true, state: { readAt: null, starredAt: null } };
const views = () => within(screen.getByRole('navigation', { name: 'Views' }));
const current = (): string | undefined =>
  views()
    .getAllByRole('button')
    .find((one) => one.ariaCurrent === 'page' || one.getAttribute('aria-current') === 'page')
    ?.querySelector('bdi')?.textContent;
describe('the entries', () => {
  it('are each the way to some views, which g and a key show', async () => {
    const { app } = await openPage(await openCore(STORIES));
    const seen: Record<string, [entry: string | undefined, view: string]> = {};
    for (const key of 'tfeubnhsadmoc') {
      await pressGo(key);
      const title = shown().getAllByRole('heading', { level: 1 })[0]!.textContent.trim();
      const tab = shown()
        .queryByRole('group', { name: /^(Saved|Topics|Show reports)$/ })
        ?.querySelector('[aria-current]')?.textContent;
      seen[key] = [current(), tab === undefined ? title : `${title}: ${tab}`];
    }
    const day = expect.any(String) as string;
    expect(seen).toEqual({
      t: ['Today', day],
      f: ['Picks', 'Picks'],
      e: ['All items', 'All items'],
      u: ['All items', 'All items'],
      b: ['Saved', 'Saved: Starred'],
      n: ['Saved', 'Saved: Notes'],
      h: ['Topics', 'Topics: Hot'],
      s: ['Topics', 'Topics: All'],
      a: ['Reports', 'Reports: Dailies'],
      d: ['Today', day],
      m: ['Models', 'Models'],
      // Sources and their statistics have keys, but no entry.
      o: [undefined, day],
      c: [undefined, day],
    });
    expect([app.views.current, app.views.sources.panel]).toEqual(['sources', 'statistics']);
    await pressGo('u');
    expect(app.feed.query).toMatchObject({ scope: 'all', state: 'unread' });
  });
});

describe('the numbers', () => {
  it('follow what is read, there and in the title of the window', async () => {
    const items = Array.from({ length: 3 }, (_, n) => madeUpRow(n, NOW, unread));
    const { app } = await openPage(await openCore({ items }));
    const isShown = (unread: number): boolean =>
      views().queryByRole('button', { name: new RegExp(`^Picks.*\\b${unread} unread`) }) !== null;
    expect([isShown(3), document.title]).toEqual([true, '(3) Broadsheet']);
    app.actions.step(1);
    await settle();
    expect([isShown(2), document.title]).toEqual([true, '(2) Broadsheet']);
  });
});
