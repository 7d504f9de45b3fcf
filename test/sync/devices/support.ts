import { hash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { FolderKey } from '../../../src-main/contract/model/devices.ts';
import { DEFAULT_SETTINGS, settingsWith, type SharedSettings } from '../../../src-main/contract/settings.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { DeviceSync } from '../../../src-main/sync/devices/device-sync.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { EVERYTHING, openTestStore } from '../../support/store.ts';

/** A device that shares its marks through a folder. */
export interface Device {
  store: Store;
  clock: FakeClock;
  sharing: DeviceSync;
  id: string;
  /** As in `settings.json`. */
  settings: { current: SharedSettings };
  /** Warnings in the log. */
  warnings: string[];
}

/** A device with its own store and clock, which shares its marks through a folder already. */
export async function openDevice(
  folder: string,
  name: string,
  clock = fakeClock(),
  passphrase?: string,
): Promise<Device> {
  const device = openAlone(name, clock);
  await device.sharing.use({ folder, ...(passphrase !== undefined && { passphrase }) });
  return { ...device, id: device.store.queries.devices.config()?.device ?? '' };
}

/** A device that does not share anything yet. */
export function openAlone(name: string, clock = fakeClock()): Device {
  return sharingOf(openTestStore({ clock }), name, clock);
}

/** The device after another start. */
export async function restarted({ store, clock, sharing, id }: Device): Promise<Device> {
  await sharing.stop();
  return { ...sharingOf(store, 'restarted', clock, sharing.keys), id };
}

export function sharingOf(store: Store, name: string, clock: FakeClock, keys: readonly FolderKey[] = []): Device {
  const warnings: string[] = [];
  const settings = { current: settingsWith('shared', DEFAULT_SETTINGS) };
  const sharing = new DeviceSync({
    store,
    clock,
    now: () => clock.now(),
    log: (_level, message) => void warnings.push(message),
    onArrivals: () => undefined,
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

/** Compares all devices with the folder until nothing can be new to any of them. */
export async function compareAll(devices: readonly Device[]): Promise<void> {
  for (let round = 0; round < 2; round += 1) for (const { sharing } of devices) await sharing.compare();
}

export const starred = ({ store, clock }: Device): string[] =>
  store.queries.items
    .page({ ...EVERYTHING, state: 'starred' }, undefined, 100, clock.now())
    .rows.map(({ id }) => id)
    .sort();
