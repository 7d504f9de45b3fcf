import { expect, it } from 'vitest';
import { openCore } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { clickOn } from '../support/reader.ts';
import { settle } from '../support/settle.ts';

it('a missing sandbox is told of, and a host that has ended, by lamp and banner, until it answers again', async () => {
  const wire = await openCore();
  const { page, app } = await openPage(wire);
  for (const unsandboxed of [false, true]) {
    wire.capabilities = { ...wire.capabilities, host: 'electron', unsandboxed };
    await app.settings.load();
    await settle();
    expect(page.queryAllByText(/^The sandbox.*--no-sandbox/)).toHaveLength(unsandboxed ? 1 : 0);
  }
  expect(page.queryByText('Not connected')).toBeNull();
  wire.hostAnswers(false);
  await settle();
  expect(page.queryAllByText(/Broadsheet isn’t responding/)).toHaveLength(1);
  expect(page.getAllByText('Not connected').length).toBeGreaterThan(0);
  wire.hostAnswers(true);
  await settle();
  expect(page.queryByText(/Broadsheet isn’t responding/)).toBeNull();
});

it('an engine that has stopped is told of, by lamp and banner, also when the page is opened then, until it runs', async () => {
  const wire = await openCore();
  wire.failing.set('sync.status', { code: 'closed', message: '', retryable: true });
  const { page } = await openPage(wire);
  expect(page.queryAllByText(/^Part of Broadsheet has stopped/)).toHaveLength(1);
  wire.failing.delete('sync.status');
  wire.emit('data.replaced', {});
  await settle();
  expect(page.queryByText(/^Part of Broadsheet has stopped/)).toBeNull();
  wire.failing.set('sync.status', { code: 'closed', message: '', retryable: true });
  wire.emit('engine.changed', { running: false });
  await settle();
  expect(page.queryAllByText(/^Part of Broadsheet has stopped/)).toHaveLength(1);
  expect(page.getAllByText('Interrupted').length).toBeGreaterThan(0);
  expect(document.querySelector('.lamp.failed')).not.toBeNull();
  wire.failing.delete('sync.status');
  wire.emit('engine.changed', { running: true });
  await settle();
  expect(page.queryByText(/^Part of Broadsheet has stopped/)).toBeNull();
  expect(document.querySelector('.lamp.failed')).toBeNull();
});

it('an address that has not answered yet is told of, with the way back where the settings decide', async () => {
  const wire = await openCore();
  const source = { address: 'https://earlier.example', awaited: 'https://new.example', demo: false } as const;
  await wire.setStatus({ source: { ...source, from: 'environment' } });
  const { page } = await openPage(wire);
  const text =
    'https://new.example hasn’t sent any news yet. Until it does, you’re still reading https://earlier.example.';
  expect(page.queryAllByText(text)).toHaveLength(1);
  const back = { name: 'Keep using https://earlier.example' };
  expect(page.queryByRole('button', back)).toBeNull();
  await wire.setStatus({ source: { ...source, from: 'settings' } });
  await settle();
  await clickOn(page.getByRole('button', back));
  expect(wire.argsOf('settings.set')).toEqual([{ patch: { newsAddress: 'https://earlier.example' } }]);
});
