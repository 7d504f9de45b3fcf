/**
 * Works in a separate process until a test kills it: `node busy-child.ts JSON`, with a {@link Task}. Prints `begun`, and
 * then one line for each thing that the app has confirmed.
 */
import { join } from 'node:path';
import type { Reply } from '../../src-main/contract/methods.ts';
import type { Backup } from '../../src-main/contract/user-data.ts';
import { createCore } from '../../src-main/core/core.ts';
import { writeAtomically } from '../../src-main/core/files/atomic-write.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { openSettingsStore } from '../../src-main/node/settings-store.ts';
import { memoryKeys } from './keys.ts';
import { plainPorts } from './plain-ports.ts';
import { ENGINE_MODULE } from './built-node.ts';
import { exportOf, recordsWith } from './user-data.ts';

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

const IMPORTED = exportOf(
  recordsWith(
    'star',
    Array.from({ length: 5_000 }, (_, at) => `imported-${at}`),
  ),
);

const task = JSON.parse(process.argv[2] ?? '') as Task;
const { work, folder, address, gateway, key } = task;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const core = await createCore({
  ...plainPorts({ dataFolder: folder, address }),
  engineModule: ENGINE_MODULE,
  settings: openSettingsStore({ folder, clock: systemClock, log: () => undefined }),
  gateway: () => ({ address: gateway, demo: false, from: 'option' }),
  keys: memoryKeys({ key, origin: gateway }),
});
const { wire } = core;

async function step(n: number): Promise<Reply<unknown> | undefined> {
  switch (work) {
    case 'download':
    case 'changes':
      return wire.call('sync.run', { urgency: 'all', resources: ['selected', 'items'] });
    case 'backfill':
      return wire.call('sync.run', { urgency: 'all' });
    case 'models':
      return wire.call('sync.run', { urgency: 'all', resources: ['models'] });
    case 'marks':
      return wire.call('items.mark', { ids: [`marked-${n}`], mark: 'star' });
    case 'settings':
      return wire.call('settings.set', { patch: { recentSearches: [String(n)] } });
    case 'export': {
      const reply = await wire.call('data.export', {});
      if (reply.ok) await writeAtomically(join(folder, 'export.json'), reply.value.text);
      return reply;
    }
    case 'import':
      return wire.call('data.import', { text: IMPORTED });
    case 'restore': {
      // The newest by name may be one that the test's clock, which is ahead of this one, has made before.
      const before = namesIn(await wire.call('data.backups', {}));
      const made = namesIn(await wire.call('data.backUp', {})).find((name) => !before.includes(name));
      return made === undefined ? undefined : wire.call('data.restore', { name: made });
    }
    case 'rebuild':
      return wire.call('data.rebuildMirror', {});
  }
}

const namesIn = (reply: Reply<{ backups: Backup[] }>): string[] =>
  reply.ok ? reply.value.backups.map(({ name }) => name) : [];

say('begun');
for (let n = task.from; ; n += 1) {
  const reply = await step(n);
  if (reply?.ok === false) throw new Error(`${work} was refused: ${reply.error.code} ${reply.error.message}`);
  say(String(n));
}
