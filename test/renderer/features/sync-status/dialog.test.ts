import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { SyncHealth } from '../../../../src-main/contract/model/sync-status.ts';
import { healthText } from '../../../../src-renderer/features/sync-status/health-text.ts';
import { NOW, openCore, type CoreOptions, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openDialogs } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const SINCE = new Date(NOW - 3_600_000).toISOString();

let wire: CoreWire;
let health: SyncHealth;

async function start(options: CoreOptions = {}): Promise<void> {
  wire = await openCore({ items: [0, 1, 2].map((n) => madeUpRow(n, NOW)), ...options });
}

beforeEach(async () => {
  await start();
  const real = await wire.ask('health.get', {});
  const [items, selected] = real.resources;
  const message = 'https://secret.example did not answer';
  const error = { code: 'timeout', message, retryable: true, requestId: 'r-1' } as const;
  const reasons = ['item-9: title is missing'];
  health = {
    ...real,
    resources: [
      { ...items!, rows: 1204 },
      { ...selected!, failures: 3, error },
    ],
    files: [{ name: 'mirror.db', bytes: 1_234_567 }],
    runs: [{ resource: 'items', at: SINCE, status: 'ok', requests: 2, changes: 5, skipped: 1, reasons }],
  };
  wire.answer('health.get', async () => ({
    ...health,
    integrity: (await wire.ask('health.get', {})).integrity,
  }));
});

async function open() {
  const app = await openDialogs(wire);
  app.panel = 'health';
  await settle();
  return within(screen.getByRole('dialog', { name: 'Sync status' }));
}

type Dialog = Awaited<ReturnType<typeof open>>;

const count = (dialog: Dialog, ...texts: (string | RegExp)[]): number[] =>
  texts.map((text) => dialog.queryAllByText(text).length);
const lines = (dialog: Dialog): string[] =>
  dialog.getAllByRole('listitem').map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());

async function click(dialog: Dialog, name: string): Promise<void> {
  await clickOn(dialog.getByRole('button', { name }));
}

async function unfold(dialog: Dialog): Promise<void> {
  const details = dialog.getByText('All figures').closest('details')!;
  details.open = true;
  await fireEvent(details, new Event('toggle'));
  await settle();
}

it('has a line for each resource, why it failed once for all that failed so, and is copied without its words', async () => {
  const [first, second] = health.resources;
  const other = { ...first!, name: 'hotTopics' as const, error: { ...second!.error!, requestId: 'r-2' } };
  health = { ...health, resources: [first!, second!, other] };
  const dialog = await open();
  expect(lines(dialog)).toEqual([
    expect.stringMatching(/^Recent items (just now|\d+ minutes? ago)$/),
    expect.stringMatching(/^Picks Sync failed/),
    expect.stringMatching(/^Hot topics Sync failed/),
  ]);
  expect(count(dialog, 'The server took too long to respond.')).toEqual([1]);
  const writeText = vi.fn((_text: string) => Promise.resolve());
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  await click(dialog, 'Copy as text');
  const [text = ''] = writeText.mock.calls[0] ?? [];
  expect(text).toMatch(/selected: \d+ rows/);
  expect(text).toContain('failed 3x: timeout (request r-1)');
  expect(text).not.toContain('secret');
  await click(dialog, 'Try again: Picks and Hot topics');
  expect(wire.argsOf('sync.run').at(-1)).toEqual({ urgency: 'permitted', resources: ['selected', 'hotTopics'] });
});

it('says what is damaged, and not only among all figures', async () => {
  wire.answer('health.get', () => ({
    ...health,
    integrity: { at: SINCE, sound: false, messages: ['row 7 is missing'] },
  }));
  expect(count(await open(), /^Damage found/, 'row 7 is missing')).toEqual([1, 1]);
});

it('has all figures behind a disclosure, where it checks the databases, and damage and problems above', async () => {
  const problem = { id: 1, at: new Date(NOW).toISOString(), where: 'engine', message: 'It broke' } as const;
  health = { ...health, problems: [problem] };
  const dialog = await open();
  expect(count(dialog, 'mirror.db')).toEqual([0]);
  await unfold(dialog);
  const figures = ['failed 3 times in a row', '1,204', '1 record skipped', 'item-9: title is missing', '1.2 MB'];
  expect(count(dialog, ...figures, 'Not checked yet.')).toEqual([1, 1, 1, 1, 1, 1]);
  await click(dialog, 'Check now');
  await dialog.findByText(/no problems found/);
  expect(count(dialog, 'It broke', m.problems_restart())).toEqual([1, 1]);
  health = { ...health, problems: [] };
  await click(dialog, m.dismiss());
  expect(count(dialog, 'It broke')).toEqual([0]);
  expect(wire.argsOf('problems.dismiss')).toHaveLength(1);
});

it('says that fields could not be read, and not that the records were skipped', async () => {
  const reasons = ["item-9: score can't be read; the rest is used"];
  health = { ...health, runs: health.runs.map((run) => ({ ...run, skipped: 0, reasons })) };
  const dialog = await open();
  await unfold(dialog);
  expect(count(dialog, 'Some fields couldn’t be read', reasons[0]!, /skipped/)).toEqual([1, 1, 0]);
});

it('says that an implausible answer waits for a second one, or that the set is downloaded again', async () => {
  const confirming = { since: SINCE, stored: 4_065, received: 12 };
  const marked = { since: SINCE, stored: 40, received: 10, of: 'marked' } as const;
  const resources = health.resources.map((one) => ({
    ...one,
    confirming: one.name === 'selected' ? marked : confirming,
  }));
  health = { ...health, resources };
  const dialog = await open();
  const text = 'The last sync returned only 12 of 4,065 entries. Nothing is removed until another confirms it.';
  expect(count(dialog, text, 'Incomplete response', /^Picks has only 10 of 40 items/)).toEqual([1, 1, 1]);
  expect(dialog.queryByRole('button', { name: 'Accept the loss' })).toBeNull();
});

it('says when each resource is due, unless only the reader refreshes it', async () => {
  const [first] = health.resources;
  const due = { ...first!, nextDueAt: new Date(0).toISOString() };
  const soon = { ...first!, name: 'dailies' as const, nextDueAt: new Date(NOW + 59_999).toISOString() };
  const later = { ...first!, name: 'selected' as const, nextDueAt: new Date(NOW + 3_600_000).toISOString() };
  const manual = { ...first!, name: 'hotTopics' as const, nextDueAt: null };
  health = { ...health, resources: [due, soon, later, manual] };
  const dialog = await open();
  await unfold(dialog);
  expect(dialog.getAllByText('Next sync').map((term) => term.nextElementSibling?.textContent)).toEqual([
    'in a moment',
    'in a moment',
    'in 1 hour',
  ]);
  const text = healthText(health, { version: '0.1.0', now: NOW, noGateway: true });
  expect(text.match(/next sync \S+/g)).toEqual([
    'next sync due',
    `next sync ${soon.nextDueAt}`,
    `next sync ${later.nextDueAt}`,
    'next sync manual',
  ]);
});

it('syncs everything as far as the service permits', async () => {
  health = { ...health, resources: health.resources.map((one) => ({ ...one, error: null })) };
  await click(await open(), 'Sync all now');
  expect(wire.argsOf('sync.run').at(-1)).toEqual({ urgency: 'permitted' });
});

it('says that there is no gateway, does not offer to sync it, and says so in the text for support', async () => {
  await start({ gateway: () => null });
  const dialog = await open();
  expect(lines(dialog).filter((line) => line.includes('No model service set'))).toHaveLength(2);
  expect(dialog.queryByRole('button', { name: /Embedding models/ })).toBeNull();
  expect(dialog.queryAllByRole('button', { name: 'Sync all now' })).toHaveLength(1);
  const real = await wire.ask('health.get', {});
  const text = healthText(real, { version: '0.1.0', now: NOW, noGateway: true });
  expect(text).toContain('models: no gateway set');
  expect(text).toMatch(/^items: 3 rows/m);
  expect(healthText(real, { version: '0.1.0', now: NOW, noGateway: false })).not.toContain('gateway set');
});
