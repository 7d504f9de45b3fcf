import { cleanup } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  FOLDER_REFUSALS,
  NOT_SHARED,
  type SharedFolderStatus,
  type Device,
} from '../../../../src-main/contract/model/devices.ts';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openSection } from '../../support/settings-page.ts';

const DEVICES: Device[] = [
  { id: 'a'.repeat(16), name: 'laptop', isThis: false, seenAt: '2026-11-20T12:00:00.000Z' },
  { id: 'b'.repeat(16), name: '', isThis: false, seenAt: null },
  { id: 'c'.repeat(16), name: 'desk', isThis: true, seenAt: '2026-11-21T12:00:00.000Z' },
];

let wire: CoreWire;

beforeEach(async () => {
  wire = await openCore();
  answerWith({});
});

/** Stands for a folder in this state. */
function answerWith(state: Partial<SharedFolderStatus>): void {
  let marks: SharedFolderStatus = { ...NOT_SHARED, ...state };
  const change = (changes: Partial<SharedFolderStatus>): SharedFolderStatus => (marks = { ...marks, ...changes });
  wire.answer('devices.get', () => marks);
  wire.answer('devices.compare', () => marks);
  wire.answer('devices.set', ({ folder, passphrase, settings = marks.settings }) =>
    change({
      folder,
      settings,
      locked: false,
      encrypted: passphrase === undefined ? marks.encrypted : passphrase !== null,
    }),
  );
  wire.answer('devices.off', () => change({ folder: null, devices: [] }));
  wire.answer('devices.remove', ({ device }) => change({ devices: marks.devices.filter(({ id }) => id !== device) }));
}

describe('marks on other devices', () => {
  it('are shared through a folder that is typed in, until that is stopped', async () => {
    const { click, type, button, says, panel } = await openSection(wire, 'data');
    expect(button('Start sharing').disabled).toBe(true);
    await type('Synced folder', ' /home/reader/Sync ');
    await click('Start sharing');
    expect(wire.argsOf('devices.set')).toEqual([{ folder: '/home/reader/Sync' }]);
    expect(says('/home/reader/Sync')).toBe(true);
    expect(says('Up to date.')).toBe(true);
    await click('Stop sharing');
    expect(panel().textContent).toContain('Sharing stopped.');
    expect(button('Start sharing').disabled).toBe(true);
  });

  it('are shared through a folder that is chosen, where the host can ask', async () => {
    const browser = await openSection(wire, 'data');
    expect(browser.panel().textContent).not.toContain('Choose…');
    cleanup();
    wire.capabilities = { ...wire.capabilities, dataFolder: true };
    let chosen: string | null = null;
    wire.app.ports.desktop = { chooseSyncedFolder: async () => chosen };
    const { click, field } = await openSection(wire, 'data');
    await click('Choose…');
    expect(field('Synced folder').value).toBe('');
    chosen = '/home/reader/Sync';
    await click('Choose…');
    expect(field('Synced folder').value).toBe('/home/reader/Sync');
    expect(wire.argsOf('devices.set')).toEqual([]);
    await click('Start sharing');
    expect(wire.argsOf('devices.set')).toEqual([{ folder: '/home/reader/Sync' }]);
  });

  it('are encrypted with a passphrase, which is entered where it is missing and can be given up', async () => {
    const { click, type, button, says, field } = await openSection(wire, 'data');
    await type('Synced folder', '/sync');
    await type('Passphrase', 'short');
    expect(button('Start sharing').disabled).toBe(true);
    await type('Passphrase', 'correct horse');
    await click('Start sharing');
    expect(wire.argsOf('devices.set')).toEqual([{ folder: '/sync', passphrase: 'correct horse' }]);
    expect(says('Encrypted with a passphrase.')).toBe(true);
    expect(field('New passphrase').value).toBe('');
    await click('Stop encrypting');
    expect(wire.argsOf('devices.set').at(-1)).toEqual({ folder: '/sync', passphrase: null });
    cleanup();

    answerWith({ folder: '/sync', encrypted: false, locked: true, sealed: 3, plain: 1 });
    const locked = await openSection(wire, 'data');
    expect(locked.says('Can’t decrypt 3 entries from other devices.')).toBe(true);
    expect(locked.says('Unencrypted files not read: 1. Enter the passphrase on every device.')).toBe(true);
    wire.failing.set('devices.set', {
      code: 'invalid_argument',
      message: '',
      retryable: false,
      reason: 'devices_wrong_passphrase',
    });
    await locked.type('Enter the passphrase', 'mistyped one');
    await locked.click('Use passphrase');
    expect(locked.says('Wrong passphrase. Enter the one that your other devices use.')).toBe(true);
    expect(locked.field('Enter the passphrase').value).toBe('mistyped one');
  });

  it('have the settings with them if the reader wants that', async () => {
    answerWith({ folder: '/sync', unknownSettings: 2 });
    const { click, choose, says, field, panel } = await openSection(wire, 'data');
    expect(says('Settings from a newer version ignored: 2')).toBe(true);
    field('Share settings, too').click();
    await vi.waitFor(() => expect(wire.argsOf('devices.set')).toEqual([{ folder: '/sync', settings: true }]));
    await click('Compare now');
    expect(field('Share settings, too').checked).toBe(true);
    wire.failing.set('devices.set', { code: 'disk_full', message: '', retryable: false });
    await choose('Share settings, too');
    expect(panel().textContent).toContain('The disk is full.');
    expect(field('Share settings, too').checked).toBe(true);
  });

  it('tell devices with one name apart, when folder and marks were compared, and what was not believed', async () => {
    const devices = DEVICES.map((device) => ({ ...device, name: 'vm' }));
    const refused = FOLDER_REFUSALS.map((reason, index) => ({ reason, count: index + 1 }));
    answerWith({ folder: '/sync', devices, comparedAt: '2026-11-21T12:00:00.000Z', refused });
    const { panel, says } = await openSection(wire, 'data');
    const removers = [...panel().querySelectorAll('[aria-label^="Remove"]')].map((one) =>
      one.getAttribute('aria-label'),
    );
    expect(removers).toEqual(['Remove vm (aaaa)', 'Remove vm (bbbb)']);
    expect(panel().textContent).toContain('Last compared: Nov 21, 2026');
    expect(says('Links and special files ignored: 1. Broadsheet never creates them.')).toBe(true);
    expect(says('Changes with impossible times ignored: 4. Check your devices’ clocks.')).toBe(true);
  });

  it('show the devices and when each was last seen, this one first, and remove one after a question', async () => {
    answerWith({ folder: '/sync', devices: DEVICES });
    const { click, says, panel } = await openSection(wire, 'data');
    expect(panel().textContent).toMatch(/desk\s+This device.*laptop\s+Last seen .*2026.*Device b{16}\s+Not seen yet/s);
    await click('Remove laptop');
    expect(wire.argsOf('devices.remove')).toEqual([]);
    await click('Remove');
    expect(wire.argsOf('devices.remove')).toEqual([{ device: 'a'.repeat(16) }]);
    expect(says('Removed.')).toBe(true);
    expect(panel().textContent).not.toContain('laptop');
  });

  it('say what waits, what has no room, what is unreadable, and why the folder can’t be used', async () => {
    answerWith({
      folder: '/sync',
      waiting: 1,
      leftOut: 2,
      unreadable: 3,
      failure: { code: 'data_unreadable', message: '', retryable: true, reason: 'devices_folder_unreadable' },
    });
    const { click, says } = await openSection(wire, 'data');
    const said = (): boolean[] => [
      says('Changes waiting to be shared: 1'),
      says('Saved searches and mute rules beyond the limit, not used here: 2'),
      says('Unreadable parts of the folder: 3. Broadsheet tries again when they change.'),
      says('The shared folder can’t be read. Connect its disk, or start your sync tool.'),
    ];
    expect(said()).toEqual([true, true, true, true]);
    await click('Compare now');
    expect(said()).toEqual([true, true, true, true]);
  });
});
