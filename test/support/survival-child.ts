/**
 * A reader's data in a separate process that a test can kill, with the settings file of the folder:
 * `node survival-child.ts FOLDER export FILE | import FILE | restore NAME | rebuild | write COUNT`. Prints `begun` before it
 * starts, for `write` the number of each reply, and `done`. Then it matches rules until it is killed, or its stdin ends.
 */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createCore } from '../../src-main/core/core.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { writeAtomically } from '../../src-main/core/files/atomic-write.ts';
import { openSettingsStore } from '../../src-main/node/settings-store.ts';
import { plainPorts } from './plain-ports.ts';

const [folder = '', what = '', argument = ''] = process.argv.slice(2);
const settings = openSettingsStore({ folder, clock: systemClock, log: () => undefined });
const core = await createCore({ ...plainPorts({ dataFolder: folder }), settings });
const { wire } = core;

async function succeeds(reply: Promise<{ ok: boolean }>): Promise<void> {
  const answer = await reply;
  if (!answer.ok) throw new Error(JSON.stringify(answer));
}

async function write(n: number): Promise<void> {
  const id = `written-${String(n)}`;
  await succeeds(wire.call('notes.set', { kind: 'item', id, text: `Note ${String(n)}` }));
  await succeeds(wire.call('mutes.add', { query: `"${id}"` }));
  await succeeds(wire.call('items.mark', { ids: [id], mark: 'star' }));
  const { recentSearches } = settings.get();
  await succeeds(wire.call('settings.set', { patch: { recentSearches: [id, ...recentSearches].slice(0, 10) } }));
}

const operations: Record<string, () => Promise<void>> = {
  async export() {
    const reply = await wire.call('data.export', {});
    if (!reply.ok) throw new Error(reply.error.message);
    await writeAtomically(argument, reply.value.text);
  },
  import: () => succeeds(wire.call('data.import', { text: readFileSync(argument, 'utf8') })),
  restore: () => succeeds(wire.call('data.restore', { name: argument })),
  // There is no service, so it fails and must leave everything.
  async rebuild() {
    await wire.call('data.rebuildMirror', {});
  },
  async write() {
    for (let n = 0; n < Number(argument); n += 1) {
      await write(n);
      process.stdout.write(`${String(n)}\n`);
    }
  },
};

const ended = once(process.stdin.resume(), 'end');
process.stdout.write('begun\n');
await operations[what]?.();
process.stdout.write('done\n');
await ended;
await core.close();
