import { screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { openPage } from '../../support/page.ts';
import { clickNamed } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

const SINCE = new Date(NOW - 3_600_000).toISOString();

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore();
});

async function open(): Promise<void> {
  ({ app } = await openPage(wire));
  await settle();
}

/** Views are loaded when they are opened. */
const click = (name: string | RegExp, part = screen.getByRole('main')) => clickNamed(name, part);

describe('the guide for agents', () => {
  it('is shown as text, with its addresses to copy', async () => {
    const writeText = vi.fn((_text: string) => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    wire.answer('guide.open', () => ({
      text: '# Hello\n\n<img src=x onerror=alert(1)> [Items](https://news.example/api) [bad](javascript:alert(1))',
      fetchedAt: SINCE,
      stale: { code: 'unreachable', message: 'no', retryable: true },
    }));
    await open();
    app.panel = 'guide';
    const dialog = await waitFor(() => screen.getByRole('dialog', { name: 'Guide for AI agents' }));
    await waitFor(() => within(dialog).getByRole('heading', { name: 'Hello' }));
    expect(within(dialog).queryAllByText(/Showing the saved version/)).toHaveLength(1);
    expect(dialog.querySelector('img')).toBeNull();
    expect(
      within(dialog)
        .getAllByRole('link')
        .every((link) => link.getAttribute('href') === 'https://news.example/api'),
    ).toBe(true);
    await click(/^Copy link: https:\/\/news.example\/api/, dialog);
    expect(writeText).toHaveBeenCalledWith('https://news.example/api');
  });
});
