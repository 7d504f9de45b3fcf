import { fireEvent, screen, waitFor, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { FAILURE_REASONS, type Failure } from '../../../../src-main/contract/errors.ts';
import type { NewsSource } from '../../../../src-main/contract/model/sync-status.ts';
import { failureReasons } from '../../../../src-main/common/i18n/labels.ts';
import { NOW, openCore } from '../../support/core.ts';
import { stubWindowWidth } from '../../support/narrow-window.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const SOURCE: NewsSource = { address: 'https://news.exmaple', demo: false, from: 'settings' };

/** A page over a service that can't be reached, before anything or after something was saved. */
async function open(reason: Failure['reason'], more: { saved?: boolean; from?: NewsSource['from'] } = {}) {
  const { saved = false, from = 'settings' } = more;
  const wire = await openCore();
  const error: Failure = { code: 'unreachable', message: '', retryable: true, ...(reason && { reason }) };
  const { resources } = await wire.ask('sync.status', {});
  await wire.setStatus({
    source: { ...SOURCE, from },
    selectedComplete: saved,
    lastSuccessAt: saved ? new Date(NOW - 3_600_000).toISOString() : null,
    reachable: false,
    resources: resources.map((one) => (one.name === 'selected' ? { ...one, error } : one)),
  });
  const { app } = await openPage(wire);
  await settle();
  return { app, wire, list: document.getElementById('feed-list')! };
}

describe('a first download that fails', () => {
  it('names its cause in words, or says what its code means, and offers the demo in place of the address', async () => {
    const { wire, list } = await open(undefined);
    expect(list.textContent).toContain('Can’t get news from news.exmaple');
    expect(list.textContent).toContain('Can’t connect.');
    const { resources } = await wire.ask('sync.status', {});
    for (const reason of FAILURE_REASONS) {
      const error: Failure = { code: 'unreachable', message: '', retryable: true, reason };
      await wire.setStatus({ resources: resources.map((one) => (one.name === 'selected' ? { ...one, error } : one)) });
      await settle();
      expect(list.textContent).toContain(failureReasons[reason]());
      expect(list.textContent).not.toContain('Can’t connect.');
    }
    await clickOn(within(list).getByRole('button', { name: 'Back to the demo' }));
    expect(wire.argsOf('settings.set').at(-1)).toEqual({ patch: { newsAddress: null } });
  });

  it('offers no demo where an option names the service', async () => {
    const { list } = await open('refused', { from: 'option' });
    const buttons = list.querySelectorAll('.blank button');
    expect(Array.from(buttons, ({ textContent }) => textContent.trim())).toEqual(['Try again']);
  });
});

describe('an address that was saved although nobody answers there', () => {
  it('is named with its cause wherever nothing is saved, with a way to another one and to the demo', async () => {
    const { app } = await open('refused');
    for (const view of ['today', 'hotTopics', 'archive'] as const) {
      app.navigation.showView(view);
      await settle();
      const list = within(document.getElementById(`${view}-list`)!);
      await waitFor(() => list.getByRole('heading', { name: 'Can’t get news from news.exmaple' }));
      expect(document.getElementById(`${view}-list`)!.textContent).toContain(failureReasons.refused());
      const buttons = list.getAllByRole('button').map(({ textContent }) => textContent.trim());
      expect(buttons).toEqual(expect.arrayContaining(['Try again', 'Back to the demo']));
      await clickOn(list.getByRole('button', { name: 'Change the address' }));
      expect(screen.queryAllByRole('dialog', { name: 'Settings' })).toHaveLength(1);
      await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    }
  });
});

describe('a later failure', () => {
  it('is told with address and cause in the details of the sync state', async () => {
    await open('name_not_found', { saved: true });
    await clickOn(screen.getByRole('button', { name: /^Sync: *Can’t sync since/ }));
    const details = screen.getByRole('group', { name: 'Sync' });
    expect(details.textContent).toContain(SOURCE.address);
    expect(details.textContent).toContain(failureReasons.name_not_found());
  });

  it('is told once, by the same sync state, where there is no sidebar', async () => {
    stubWindowWidth(900);
    await open('name_not_found', { saved: true });
    const foot = screen.getByRole('complementary', { name: 'Last sync failed' });
    await clickOn(within(foot).getByRole('button', { name: /^Sync: *Can’t sync since/ }));
    expect(within(foot).getByRole('group', { name: 'Sync' }).textContent).toContain(failureReasons.name_not_found());
    const [drawer] = screen.getAllByRole('button', { name: 'Show views' });
    expect(drawer!.title).toBe('Show views');
  });

  it('is told at the button of the drawer where nothing is saved', async () => {
    stubWindowWidth(900);
    await open('name_not_found');
    expect(screen.getAllByRole('button', { name: 'Show views' })[0]!.title).toBe('Show views (Last sync failed)');
  });

  it('is “Offline” only when this computer is', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await open('name_not_found', { saved: true });
    expect(screen.queryAllByRole('button', { name: /^Sync: *Offline/ })).toHaveLength(1);
  });
});
