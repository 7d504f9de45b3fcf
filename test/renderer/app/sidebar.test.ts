import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { NOW, openCore } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';

describe.each([
  ['en', 'Settings', ['Settings', 'Notifications', 'Sync', 'Shortcuts']],
  ['zh-CN', '设置', ['设置', '通知', '同步', '快捷键']],
] as const)('the foot of the sidebar, in %s', (language, settings, texts) => {
  it('has a word below each icon, which the name of the button contains', async () => {
    await openPage(await openCore({ settings: { language } }));
    const foot = screen.getByRole('button', { name: settings }).parentElement!;
    const buttons = within(foot).getAllByRole('button');
    expect(buttons.map((button) => button.textContent.trim())).toEqual(texts);
    for (const button of buttons) {
      const name = (button.getAttribute('aria-label') ?? '').toLowerCase();
      expect(name).toContain(button.textContent.trim().toLowerCase());
    }
  });
});

describe('the counts', () => {
  it('follow what is read, there and in the title of the window', async () => {
    const unread = { inSelectedSet: true, state: { readAt: null, starredAt: null } };
    const items = Array.from({ length: 3 }, (_, n) => madeUpRow(n, NOW, unread));
    const { app } = await openPage(await openCore({ items }));
    const views = within(screen.getByRole('navigation', { name: 'Views' }));
    const isShown = (unread: number): boolean =>
      views.queryByRole('button', { name: new RegExp(`^Selected.*\\b${unread} unread`) }) !== null;
    expect([isShown(3), document.title]).toEqual([true, '(3) Broadsheet']);
    app.actions.step(1);
    await settle();
    expect([isShown(2), document.title]).toEqual([true, '(2) Broadsheet']);
  });
});
