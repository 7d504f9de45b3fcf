import { screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { openCore } from '../support/core.ts';
import { openPage } from '../support/page.ts';

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
