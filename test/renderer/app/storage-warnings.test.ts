import { fireEvent, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { StorageWarning } from '../../../src-main/contract/model/sync-status.ts';
import { openCore } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { clickOn } from '../support/reader.ts';
import { settle } from '../support/settle.ts';

const LOST: StorageWarning = {
  file: 'user.db',
  setAsideAs: 'user.db.damaged-2026-03-18T06-30-00-000Z',
  reason: 'damaged',
  backup: 'user-2026-03-17T06-30-00-000Z.db',
};

async function openWith(...warnings: StorageWarning[]) {
  const wire = await openCore();
  await wire.setStatus({ storageWarnings: warnings });
  const { page } = await openPage(wire);
  const banner = (file: string) => within(page.getByRole('complementary', { name: new RegExp(file) }));
  return { wire, page, banner };
}

describe('a warning about a stored file', () => {
  it('offers to restore the backup from before the damage, asks first, and says why that failed', async () => {
    const { wire, banner } = await openWith(LOST);
    const { getByRole, getByText } = banner('user.db');
    getByText(/renamed to user\.db\.damaged-2026/);
    wire.failing.set('data.restore', { code: 'data_unreadable', message: 'damaged', retryable: false });
    await fireEvent.click(getByRole('button', { name: /^Restore backup of .*17.*2026/ }));
    expect(wire.argsOf('data.restore')).toEqual([]);
    await clickOn(within(getByRole('group')).getByRole('button', { name: /^Restore/ }));
    expect(wire.calls).toContainEqual({ method: 'data.restore', args: { name: LOST.backup } });
    expect(getByRole('status').textContent).toContain('data_unreadable');
  });

  it('is dismissed by name, and gone when the status says so', async () => {
    const { wire, page, banner } = await openWith(LOST, {
      file: 'mirror.db',
      setAsideAs: 'mirror.db.x',
      reason: 'foreign',
    });
    banner('mirror.db').getByText(/downloaded again/);
    await clickOn(banner('mirror.db').getByRole('button', { name: 'Dismiss' }));
    expect(wire.calls).toContainEqual({ method: 'data.dismissWarning', args: { id: 'mirror.db.x' } });
    await wire.setStatus({ storageWarnings: [LOST] });
    await settle();
    expect(page.queryByRole('complementary', { name: /mirror\.db/ })).toBeNull();
    expect(page.queryByRole('complementary', { name: /user\.db/ })).not.toBeNull();
  });

  it('says that there is no backup, that a file was missing, and what was moved back', async () => {
    const { banner } = await openWith(
      { file: 'user.db', setAsideAs: null, reason: 'missing' },
      { file: 'mirror.db', setAsideAs: null, reason: 'put-back' },
      { file: 'settings.json', setAsideAs: null, reason: 'newer' },
    );
    banner('user.db').getByText(/was missing/);
    banner('user.db').getByText(/no earlier backup/);
    await fireEvent.click(banner('user.db').getByRole('button', { name: 'Dismiss' }));
    banner('mirror.db').getByText(/moved back/);
    expect(banner('settings.json').queryByRole('button')).toBeNull();
  });
});
