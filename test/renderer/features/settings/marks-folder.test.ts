import { cleanup } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  MARKS_REFUSALS,
  NOT_SHARED,
  type MarksFolder,
  type MarksMachine,
} from '../../../../src-main/contract/model/marks-folder.ts';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openSection } from '../../support/settings-page.ts';

const MACHINES: MarksMachine[] = [
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
function answerWith(state: Partial<MarksFolder>): void {
  let marks: MarksFolder = { ...NOT_SHARED, ...state };
  const change = (changes: Partial<MarksFolder>): MarksFolder => (marks = { ...marks, ...changes });
  wire.answer('marksFolder.get', () => marks);
  wire.answer('marksFolder.compare', () => marks);
  wire.answer('marksFolder.set', ({ folder, passphrase, settings = marks.settings }) =>
    change({
      folder,
      settings,
      locked: false,
      encrypted: passphrase === undefined ? marks.encrypted : passphrase !== null,
    }),
  );
  wire.answer('marksFolder.off', () => change({ folder: null, machines: [] }));
  wire.answer('marksFolder.remove', ({ machine }) =>
    change({ machines: marks.machines.filter(({ id }) => id !== machine) }),
  );
}

describe('marks on other devices', () => {
  it('are shared through a folder that is typed in, until that is stopped', async () => {
    const { click, type, button, says, panel } = await openSection(wire, 'data');
    expect(button('Share marks').disabled).toBe(true);
    await type('Synced folder', ' /home/reader/Sync ');
    await click('Share marks');
    expect(wire.argsOf('marksFolder.set')).toEqual([{ folder: '/home/reader/Sync' }]);
    expect(says('/home/reader/Sync')).toBe(true);
    expect(says('Up to date.')).toBe(true);
    await click('Stop sharing');
    expect(panel().textContent).toContain('Sharing stopped.');
    expect(button('Share marks')).toBeTruthy();
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
    expect(wire.argsOf('marksFolder.set')).toEqual([]);
    await click('Share marks');
    expect(wire.argsOf('marksFolder.set')).toEqual([{ folder: '/home/reader/Sync' }]);
  });

  it('are encrypted with a passphrase, which is entered where it is missing and can be given up', async () => {
    const { click, type, button, says, field } = await openSection(wire, 'data');
    await type('Synced folder', '/sync');
    await type('Passphrase', 'short');
    expect(button('Share marks').disabled).toBe(true);
    await type('Passphrase', 'correct horse');
    await click('Share marks');
    expect(wire.argsOf('marksFolder.set')).toEqual([{ folder: '/sync', passphrase: 'correct horse' }]);
    expect(says('Encrypted with a passphrase.')).toBe(true);
    expect(field('New passphrase').value).toBe('');
    await click('Stop encrypting');
    expect(wire.argsOf('marksFolder.set').at(-1)).toEqual({ folder: '/sync', passphrase: null });
    cleanup();

    answerWith({ folder: '/sync', encrypted: false, locked: true, sealed: 3, plain: 1 });
    const locked = await openSection(wire, 'data');
    expect(locked.says('Can’t decrypt 3 entries from other devices.')).toBe(true);
    expect(locked.says('Unencrypted files not read: 1. Enter the passphrase on every device.')).toBe(true);
    wire.failing.set('marksFolder.set', {
      code: 'invalid_argument',
      message: '',
      retryable: false,
      reason: 'marks_wrong_passphrase',
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
    await vi.waitFor(() => expect(wire.argsOf('marksFolder.set')).toEqual([{ folder: '/sync', settings: true }]));
    await click('Compare now');
    expect(field('Share settings, too').checked).toBe(true);
    wire.failing.set('marksFolder.set', { code: 'disk_full', message: '', retryable: false });
    await choose('Share settings, too');
    expect(panel().textContent).toContain('The disk is full.');
    expect(field('Share settings, too').checked).toBe(true);
  });

  it('tell machines with one name apart, and when folder and marks were compared', async () => {
    const machines = MACHINES.map((machine) => ({ ...machine, name: 'vm' }));
    const comparedAt = '2026-11-21T12:00:00.000Z';
    answerWith({ folder: '/sync', machines, comparedAt });
    const { button, panel } = await openSection(wire, 'data');
    expect(button('Remove vm (aaaa)')).toBeTruthy();
    expect(button('Remove vm (bbbb)')).toBeTruthy();
    expect(panel().textContent).toContain('Last compared: Nov 21, 2026');
  });

  it('tell what in the folder was not believed', async () => {
    const refused = MARKS_REFUSALS.map((reason, index) => ({ reason, count: index + 1 }));
    answerWith({ folder: '/sync', refused });
    const { says } = await openSection(wire, 'data');
    expect(says('Links and special files ignored: 1. Broadsheet never creates them.')).toBe(true);
    expect(says('Marks with impossible times ignored: 4. Check your devices’ clocks.')).toBe(true);
  });

  it('say what is wrong with a folder, and keep what was typed', async () => {
    const { click, type, field, says } = await openSection(wire, 'data');
    wire.failing.set('marksFolder.set', {
      code: 'invalid_argument',
      message: '',
      retryable: false,
      reason: 'marks_no_folder',
    });
    await type('Synced folder', '/nowhere');
    await click('Share marks');
    expect(says('There is no such folder. Enter the full path of an existing one.')).toBe(true);
    expect(field('Synced folder').value).toBe('/nowhere');
  });

  it('show the machines and when each was last seen, this one first, and remove one after a question', async () => {
    answerWith({ folder: '/sync', machines: MACHINES });
    const { click, says, panel } = await openSection(wire, 'data');
    expect(panel().textContent).toMatch(/desk\s+This device.*laptop\s+Last seen .*2026.*Device b{16}\s+Not seen yet/s);
    await click('Remove laptop');
    expect(wire.argsOf('marksFolder.remove')).toEqual([]);
    await click('Remove');
    expect(wire.argsOf('marksFolder.remove')).toEqual([{ machine: 'a'.repeat(16) }]);
    expect(says('Removed.')).toBe(true);
    expect(panel().textContent).not.toContain('laptop');
  });

  it('say what waits, what has no room, what is unreadable, and why the folder can’t be used', async () => {
    answerWith({
      folder: '/sync',
      waiting: 1,
      leftOut: 2,
      unreadable: 3,
      failure: { code: 'data_unreadable', message: '', retryable: true, reason: 'marks_folder_unreadable' },
    });
    const { click, says } = await openSection(wire, 'data');
    const said = (): boolean[] => [
      says('Marks waiting to be shared: 1'),
      says('Marks from other devices left out for lack of room: 2'),
      says('Unreadable parts of the folder: 3. Broadsheet tries again when they change.'),
      says('The shared folder can’t be read. Connect its disk, or start your sync tool.'),
    ];
    expect(said()).toEqual([true, true, true, true]);
    await click('Compare now');
    expect(said()).toEqual([true, true, true, true]);
  });
});
