import { hash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { MarksKey } from '../../../src-main/contract/model/marks-folder.ts';
import { DEFAULT_SETTINGS, settingsWith, type SharedSettings } from '../../../src-main/contract/settings.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { MarksSharing } from '../../../src-main/sync/devices/marks-sharing.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { openTestStore } from '../../support/store.ts';

/** A machine that shares its marks through a folder. */
export interface Machine {
  store: Store;
  clock: FakeClock;
  sharing: MarksSharing;
  id: string;
  /** As in `settings.json`. */
  settings: { current: SharedSettings };
  /** Warnings in the log. */
  warnings: string[];
}

/** A machine with its own store and clock, which shares its marks through a folder already. */
export async function openMachine(
  folder: string,
  name: string,
  clock = fakeClock(),
  passphrase?: string,
): Promise<Machine> {
  const machine = openAlone(name, clock);
  await machine.sharing.use({ folder, ...(passphrase !== undefined && { passphrase }) });
  return { ...machine, id: machine.store.marks.config?.machine ?? '' };
}

/** A machine that does not share anything yet. */
export function openAlone(name: string, clock = fakeClock()): Machine {
  return sharingOf(openTestStore({ clock }), name, clock);
}

/** The machine after another start. */
export async function restarted({ store, clock, sharing, id }: Machine): Promise<Machine> {
  await sharing.stop();
  return { ...sharingOf(store, 'restarted', clock, sharing.keys), id };
}

export function sharingOf(store: Store, name: string, clock: FakeClock, keys: readonly MarksKey[] = []): Machine {
  const warnings: string[] = [];
  const settings = { current: settingsWith('shared', DEFAULT_SETTINGS) };
  const sharing = new MarksSharing({
    store,
    clock,
    now: () => clock.now(),
    log: (_level, message) => void warnings.push(message),
    onApplied: () => undefined,
    settings: () => settings.current,
    onSettings: ({ patch }) => {
      settings.current = { ...settings.current, ...patch };
    },
    name,
    keys,
    // The real one takes half a second.
    derive: async (passphrase, salt) => hash('sha256', `${salt} ${passphrase}`, 'hex'),
  });
  // A test that opens many closes their stores itself.
  onTestFinished(() => sharing.stop().catch(() => undefined));
  return { store, clock, sharing, id: '', settings, warnings };
}

/** Compares all machines with the folder until nothing can be new to any of them. */
export async function compareAll(machines: readonly Machine[]): Promise<void> {
  for (let round = 0; round < 2; round += 1) for (const { sharing } of machines) await sharing.compare();
}
