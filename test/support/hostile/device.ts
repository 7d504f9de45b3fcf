/**
 * A device that shares its marks, in its own process, so that nothing that hangs or ends it affects others: `fork` it,
 * send a {@link DeviceCommand}, and it answers with what the device then has.
 */
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedFolderStatus } from '../../../src-main/contract/model/devices.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { openStore, type Store } from '../../../src-main/store/index.ts';
import { DeviceSync } from '../../../src-main/sync/devices/device-sync.ts';
import { idsIn, recordsIn } from '../user-data.ts';

export type DeviceCommand =
  | { what: 'open'; data: string; folder: string; passphrase: string | undefined; service: string }
  | { what: 'star' | 'unstar'; id: string }
  | { what: 'compare' };

export interface DeviceState {
  id: string;
  status: SharedFolderStatus;
  starred: string[];
  notes: string[];
  /** The longest time in which nothing else could run, in ms of the processor. */
  hold: number;
  /** Peak memory of the process so far, in MB. */
  memory: number;
  /** The size of user.db with its log, in MB. */
  database: number;
}

const MB = 1024 * 1024;
let open: { store: Store; sharing: DeviceSync; data: string; service: string } | null = null;

/** A mark is a millisecond later than the one before. */
let now = Date.now();

async function start({ data, folder, passphrase, service }: DeviceCommand & { what: 'open' }): Promise<void> {
  await open?.sharing.stop();
  open?.store.close();
  const store = openStore({ folder: data, source: service, now: () => now });
  const sharing = new DeviceSync({
    store,
    clock: systemClock,
    log: () => undefined,
    now: () => now,
    onArrivals: () => undefined,
    name: 'laptop',
    // The real one takes half a second.
    derive: async (secret, salt) => hash('sha256', `${salt} ${secret}`, 'hex'),
  });
  open = { store, sharing, data, service };
  await sharing.use({ folder, ...(passphrase !== undefined && { passphrase }) });
}

/** In processor time of the thread, so that a busy computer makes no difference. */
async function watched(work: () => Promise<void>): Promise<number> {
  const used = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [longest, last, going] = [0, used(), true];
  const watch = (): void => {
    const at = used();
    longest = Math.max(longest, at - last);
    last = at;
    if (going) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  going = false;
  return longest;
}

async function obey(command: DeviceCommand): Promise<void> {
  now = Math.max(now + 1, Date.now());
  if (command.what === 'open') return start(command);
  if (command.what === 'compare') return open?.sharing.compare();
  const { id, what } = command;
  open?.store.transaction((tx) => void tx.statuses.mark([id], what, now));
}

function state(hold: number): DeviceState {
  if (!open) throw new Error('There is no device.');
  const { store, sharing, data } = open;
  const records = store.queries.userData.records();
  const notes = recordsIn(records, 'note').map(({ value }) => (value as { text: string }).text);
  const sizes = ['user.db', 'user.db-wal'].map((name) => statSync(join(data, name), { throwIfNoEntry: false })?.size);
  return {
    id: store.queries.devices.config()?.device ?? '',
    status: sharing.status(),
    starred: idsIn(records, 'star').slice(0, 100),
    notes: notes.slice(0, 100).map((text) => text.slice(0, 100)),
    hold,
    memory: process.resourceUsage().maxRSS / 1024,
    database: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / MB,
  };
}

process.on('message', (command: DeviceCommand) => {
  void watched(() => obey(command)).then((hold) => process.send?.(state(hold)));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
