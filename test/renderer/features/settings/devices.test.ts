import { cleanup } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOT_SHARED, type SharedFolderStatus, type Device } from '../../../../src-main/contract/model/devices.ts';
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
});
