/**
 * Works in a separate process until a test kills it: `node busy-child.ts JSON`, with a {@link Task}. Prints `begun`, and
 * then one line for each thing that the app has confirmed.
 */
import { join } from 'node:path';
import { createCore } from '../../src-main/core/core.ts';
import { writeAtomically } from '../../src-main/core/files/atomic-write.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { openSettingsStore } from '../../src-main/node/settings-store.ts';
import { memoryKeys } from './keys.ts';
import { plainPorts } from './plain-ports.ts';

export type Work =
  'download' | 'changes' | 'backfill' | 'models' | 'export' | 'import' | 'restore' | 'rebuild' | 'settings' | 'marks';

export interface Task {
  work: Work;
  folder: string;
  address: string;
  gateway: string;
  key: string;
  /** Number of the first mark or setting. */
  from: number;
}

const IMPORTED = JSON.stringify({
  format: 'broadsheet-user-data',
  version: 1,
  tables: {
    item_status: Array.from({ length: 5_000 }, (_, at) => ({
      item_id: `imported-${at}`,
      read_at: null,
      starred_at: at + 1,
    })),
  },
});

const task = JSON.parse(process.argv[2] ?? '') as Task;
const { work, folder, address, gateway, key } = task;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const core = await createCore({
  ...plainPorts({ dataFolder: folder, address }),
  engineModule: new URL('../../src-main/core/engine/engine-worker.ts', import.meta.url),
  settings: openSettingsStore({ folder, clock: systemClock, log: () => undefined }),
  gateway: () => ({ address: gateway, demo: false, from: 'option' }),
  keys: memoryKeys({ key, origin: gateway }),
});
const { wire } = core;

async function step(n: number): Promise<void> {
  switch (work) {
    case 'download':
    case 'changes':
      return void (await wire.call('sync.run', { urgency: 'all', resources: ['selected', 'items'] }));
    case 'backfill':
      return void (await wire.call('sync.run', { urgency: 'all' }));
    case 'models':
      return void (await wire.call('sync.run', { urgency: 'all', resources: ['models'] }));
    case 'marks':
      return void (await wire.call('items.mark', { ids: [`marked-${n}`], mark: 'star' }));
    case 'settings':
      return void (await wire.call('settings.set', { patch: { recentSearches: [String(n)] } }));
    case 'export': {
      const reply = await wire.call('data.export', {});
      return reply.ok ? writeAtomically(join(folder, 'export.json'), reply.value.text) : undefined;
    }
    case 'import':
      return void (await wire.call('data.import', { text: IMPORTED }));
    case 'restore': {
      const reply = await wire.call('data.backUp', {});
      return void (reply.ok && (await wire.call('data.restore', { name: reply.value.backups[0]?.name ?? '' })));
    }
    case 'rebuild':
      return void (await wire.call('data.rebuildMirror', {}));
  }
}

say('begun');
for (let n = task.from; ; n += 1) {
  await step(n);
  say(String(n));
}
