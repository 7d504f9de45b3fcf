import { fireEvent, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Backup } from '../../../../src-main/contract/user-data.ts';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openSection } from '../../support/settings-page.ts';
import { settle } from '../../support/settle.ts';

const BACKUPS: Backup[] = [
  { name: 'user-2.db', at: '2026-11-20T12:00:00.000Z', bytes: 2_500_000 },
  { name: 'user-1.db', at: '2026-11-13T12:00:00.000Z', bytes: 900 },
];

let wire: CoreWire;

beforeEach(async () => {
  wire = await openCore();
});

const open = () => openSection(wire, 'data');
const openAdvanced = () => openSection(wire, 'advanced');

describe('the data folder', () => {
  it('is opened, or another one is chosen for the next start, and says why it cannot be opened', async () => {
    wire.capabilities = { ...wire.capabilities, dataFolder: true };
    const showFolder = vi.fn(() => Promise.resolve());
    let chosen: string | null = null;
    wire.app.ports.desktop = { showFolder, chooseFolder: () => Promise.resolve(chosen) };
    const { click, says, panel } = await open();
    await click('Show in file manager');
    expect(showFolder).toHaveBeenCalledWith(wire.app.folder);
    await click('Choose another folder…');
    expect(panel().textContent).not.toContain('from the next start');
    chosen = '/media/disk';
    await click('Choose another folder…');
    expect(says('Broadsheet will use /media/disk from the next start. Existing data isn’t moved.')).toBe(true);
    wire.failing.set('data.showFolder', { code: 'not_found', message: '', retryable: false });
    await click('Show in file manager');
    expect(says('No longer available.')).toBe(true);
  });
});

describe('the data of the user', () => {
  it('are saved as a file', async () => {
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:made-up';
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved.push(this.download);
    };
    const { click, says } = await open();
    await click('Export my data');
    expect(saved).toEqual(['broadsheet-2026-03-18.json']);
    expect(says('Exported as broadsheet-2026-03-18.json')).toBe(true);
  });

  async function choose(panel: HTMLElement, text: string): Promise<void> {
    const picker = panel.querySelector<HTMLInputElement>('input[type=file]')!;
    Object.defineProperty(picker, 'files', { configurable: true, value: [{ text: () => Promise.resolve(text) }] });
    await fireEvent.change(picker);
    await settle();
  }

  it('are imported from a file, with a summary, or refused in words', async () => {
    const { panel, says } = await open();
    for (const [report, said] of [
      [{ taken: 1, unchanged: 0, skipped: 0, settings: false }, '1 entry imported, 0 unchanged.'],
      [
        { taken: 1204, unchanged: 30, skipped: 2, settings: true },
        '1,204 entries imported, 30 unchanged. Skipped as unreadable: 2. Settings imported.',
      ],
    ] as const) {
      wire.answer('data.import', () => report);
      await choose(panel(), '{"format":"broadsheet-user-data"}');
      expect(wire.argsOf('data.import').at(-1)).toEqual({ text: '{"format":"broadsheet-user-data"}' });
      expect(says(said)).toBe(true);
    }
    for (const [code, said] of [
      ['invalid_argument', /Not a Broadsheet export/],
      ['data_newer', /saved by a newer version/],
    ] as const) {
      wire.failing.set('data.import', { code, message: '', retryable: false });
      await choose(panel(), 'nonsense');
      expect(says(said)).toBe(true);
    }
  });
});

describe('the downloaded news of other services', () => {
  beforeEach(() => {
    let mirrors = [
      { id: '0'.repeat(16), service: 'https://old.example', usedAt: '2026-11-01T12:00:00.000Z', bytes: 62_000_000 },
      { id: '1'.repeat(16), service: 'demo', usedAt: '2026-08-13T12:00:00.000Z', bytes: 900 },
    ];
    wire.answer('data.parkedMirrors', () => ({ mirrors }));
    wire.answer('data.removeParkedMirror', ({ id }) => {
      mirrors = mirrors.filter((mirror) => mirror.id !== id);
      return { mirrors };
    });
  });

  it('is listed with its size and last use, and one is removed after confirmation', async () => {
    const { click, panel, says } = await openAdvanced();
    const lines = (): string[] => [...within(panel()).getAllByRole('listitem')].map((line) => line.textContent);
    expect(lines()).toEqual([
      expect.stringMatching(/https:\/\/old\.example.*last used Nov 1, 2026.*62 MB/) as string,
      expect.stringMatching(/Demo.*last used Aug 13, 2026.*900 byte/) as string,
    ]);
    await click('Remove news of https://old.example');
    expect(says(/^Remove the news of https:\/\/old.example\?/)).toBe(true);
    await click('Cancel');
    expect(wire.argsOf('data.removeParkedMirror')).toEqual([]);
    await click('Remove news of https://old.example');
    await click('Remove');
    expect(wire.argsOf('data.removeParkedMirror')).toEqual([{ id: '0'.repeat(16) }]);
    expect(lines()).toHaveLength(1);
    expect(says('Removed.')).toBe(true);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove news of Demo');
  });
});

describe('the backups', () => {
  beforeEach(() => {
    wire.answer('data.backups', () => ({ backups: BACKUPS }));
    wire.answer('data.restore', () => ({}));
  });

  it('are restored after confirmation, or say that they no longer exist', async () => {
    const { click, button, says, panel } = await open();
    await click(/^Restore backup from Nov 13/);
    expect(says(/^Restore your data from Nov 13, 2026/)).toBe(true);
    expect(document.activeElement?.textContent).toBe('Cancel');
    await click('Cancel');
    expect(wire.argsOf('data.restore')).toEqual([]);
    expect(document.activeElement).toBe(button(/^Restore backup from Nov 13/));
    await click(/^Restore backup from Nov 13/);
    await click('Restore backup');
    expect(wire.argsOf('data.restore')).toEqual([{ name: 'user-1.db' }]);
    expect(says('Backup restored.')).toBe(true);
    expect(panel().textContent).not.toContain('Restore backup');
    wire.failing.set('data.restore', { code: 'not_found', message: '', retryable: false });
    await click(/^Restore backup from Nov 20/);
    await click('Restore backup');
    expect(says('No longer available.')).toBe(true);
  });
});

describe('the downloaded data', () => {
  it('is rebuilt after confirmation, which says what is kept', async () => {
    wire.answer('data.rebuildMirror', () => ({}));
    const { click, says, button } = await openAdvanced();
    await click('Download again…');
    expect(says(/saved news stays until then/)).toBe(true);
    await click('Cancel');
    expect(document.activeElement).toBe(button('Download again…'));
    expect(wire.argsOf('data.rebuildMirror')).toEqual([]);
    await click('Download again…');
    await click('Download again');
    expect(wire.argsOf('data.rebuildMirror')).toHaveLength(1);
    expect(says(/Download complete/)).toBe(true);
  });
});
