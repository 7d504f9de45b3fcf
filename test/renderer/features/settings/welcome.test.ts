import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

/** The dialog is compiled when it is first opened, which takes a busy machine its time. */
const SLOWLY = { timeout: 10_000 };

const click = async (name: string): Promise<void> => {
  await fireEvent.click(screen.getByRole('button', { name }));
  await settle();
};

async function openFresh(): Promise<CoreWire> {
  const wire = await openCore({ items: [madeUpRow(0, NOW)], settings: { welcomed: false } });
  await openPage(wire);
  await screen.findByRole('dialog', { name: 'Welcome to Broadsheet' }, SLOWLY);
  return wire;
}

describe('the welcome', { timeout: 20_000 }, () => {
  it('leads in three steps from the look to the news to the morning, and back', async () => {
    const wire = await openFresh();
    const first = within(screen.getByRole('dialog')).getByRole('heading', { level: 3 });
    expect(first.textContent).toContain('Step 1 of 3');
    // Not the button that closes it, which a browser focuses first.
    expect(document.activeElement).toBe(first);
    await fireEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    await settle();
    expect(wire.settings.theme).toBe('dark');
    await click('Next');
    const heading = within(screen.getByRole('dialog')).getByRole('heading', { level: 3, name: /Your news$/ });
    expect(document.activeElement).toBe(heading);
    await fireEvent.click(screen.getByRole('radio', { name: 'The last week' }));
    await click('Next');
    expect(wire.settings.unreadAtFirst).toBe('week');
    await screen.findByText(/Notify me when the daily report is out/);
    await click('Back');
    await click('Next');
    await click('Start reading');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(wire.settings.welcomed).toBe(true);
  });

  it('can be skipped at once, and is not shown again, except from the help', async () => {
    const wire = await openFresh();
    await click('Skip');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(wire.settings.welcomed).toBe(true);
    await fireEvent.keyDown(window, { key: '?' });
    await fireEvent.click(await screen.findByRole('button', { name: 'Show the welcome again' }, SLOWLY));
    await screen.findByRole('dialog', { name: 'Welcome to Broadsheet' }, SLOWLY);
  });

  it('saves the address that was typed in, and stays at one that cannot be used', async () => {
    const wire = await openFresh();
    await click('Next');
    const address = screen.getByLabelText('Service address');
    await fireEvent.input(address, { target: { value: 'no address' } });
    await click('Next');
    expect(within(screen.getByRole('dialog')).getByRole('heading', { level: 3 }).textContent).toContain('Step 2 of 3');
    await fireEvent.input(address, { target: { value: 'https://news.example' } });
    await click('Next');
    await waitFor(() =>
      expect(within(screen.getByRole('dialog')).getByRole('heading', { level: 3 }).textContent).toContain(
        'Step 3 of 3',
      ),
    );
    expect(wire.settings.newsAddress).toBe('https://news.example');
  });

  it('does not save an address whose test has just failed, unless asked to', async () => {
    const wire = await openFresh();
    await click('Next');
    await fireEvent.input(screen.getByLabelText('Service address'), { target: { value: 'https://nobody.example' } });
    wire.failing.set('source.test', { code: 'unreachable', message: 'Nobody answers.', retryable: true });
    await click('Test');
    await click('Next');
    expect(wire.settings.newsAddress).not.toBe('https://nobody.example');
    expect(screen.getByText(/This address wasn’t saved/)).toBeTruthy();
    expect(within(screen.getByRole('dialog')).getByRole('heading', { level: 3 }).textContent).toContain('Step 2 of 3');
    await click('Save address');
    expect(wire.settings.newsAddress).toBe('https://nobody.example');
    expect(screen.queryByText(/This address wasn’t saved/)).toBeNull();
    await click('Next');
    await screen.findByText(/Notify me when the daily report is out/);
  });

  it('leaves the box for notifications clear where the browser refuses them', async () => {
    const requestPermission = vi.fn(() => Promise.resolve('denied'));
    vi.stubGlobal('Notification', { permission: 'default', requestPermission });
    await openFresh();
    await click('Next');
    await click('Next');
    const box = await screen.findByLabelText<HTMLInputElement>(/Notify me when the daily report is out/);
    await fireEvent.click(box);
    await settle();
    expect(requestPermission).toHaveBeenCalledOnce();
    expect(box.checked).toBe(false);
    vi.unstubAllGlobals();
  });

  it('is not shown to somebody who has been here', async () => {
    const wire = await openCore({ items: [madeUpRow(0, NOW)] });
    const { app } = await openPage(wire);
    expect(app.panel).toBeNull();
  });
});
