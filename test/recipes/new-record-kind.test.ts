import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorsWith, insertBefore, runPatched, type Patches } from '../support/patched-program.ts';

const KINDS = 'src-main/contract/records.ts';
const USE = 'src-main/store/items/bookmarks.ts';

const FILE = `import { get, turn } from '../records.ts';
import type { Db } from '../sql.ts';
import type { Tx } from '../tx.ts';

export const isBookmarked = (db: Db, id: string): boolean => get(db, 'bookmark', id) !== null;
export const bookmark = (tx: Tx, id: string, on: boolean): boolean => turn(tx, 'bookmark', id, on ? tx.now : null);
`;
const LINE = "  bookmark: kind({ scope: 'service', id: accepts(itemId), value: futureTime, merge: earlierTime }),\n";

const patches: Patches = {
  [KINDS]: (text) => insertBefore("  visit: kind({ scope: 'service'", LINE)(text),
  [USE]: FILE,
};

/** Sets one, undoes it, sets it again, and passes it to another device, to an import and to a new start. */
const SCRIPT = `
import { openStore } from './src-main/store/index.ts';
import { join } from 'node:path';

const open = (name: string) =>
  openStore({ folder: join(process.argv[2]!, name), source: 'https://news.example', now: () => 1_000 });
const idsIn = (store: ReturnType<typeof open>) => store.queries.records.list('bookmark').map(([id]) => id);
const answers: unknown[] = [];
let one = open('one');
const before = one.transaction((tx) => tx.records.setAll('bookmark', [['a', 5], ['b', 6]]));
answers.push(idsIn(one));
one.transaction((tx) => tx.records.restore(before));
answers.push(idsIn(one));
one.transaction((tx) => tx.records.turn('bookmark', 'b', 7));
one.transaction((tx) => tx.records.nameDevice('1'.repeat(16)));
one.close();
one = open('one');
answers.push(idsIn(one));
const device = open('device');
device.transaction((tx) => tx.records.take(one.queries.records.since(0, 100)));
answers.push(idsIn(device));
const imported = open('imported');
imported.transaction((tx) => tx.userData.take(one.queries.userData.records()));
answers.push(idsIn(imported));
for (const store of [one, device, imported]) store.close();
console.log(JSON.stringify(answers));
`;

describe("a new kind of the reader's data", { timeout: 120_000 }, () => {
  it('takes one line of the table of kinds, and the file that uses it', () => {
    expect(errorsWith(patches, Object.keys(patches))).toEqual([]);
    expect(errorsWith({ [USE]: FILE }, [USE])).not.toEqual([]);
    const recipe = /## A new kind of the reader's data\n([\s\S]*?)\n## /.exec(
      readFileSync('docs/recipes.md', 'utf8'),
    )?.[1];
    expect(recipe).toContain('`contract/records.ts`');
  });

  it('is set, undone, exported, imported, and shared with other devices', () => {
    expect(runPatched(patches, SCRIPT)).toEqual([['a', 'b'], [], ['b'], ['b'], ['b']]);
  });
});
