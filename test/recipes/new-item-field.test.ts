import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorsWith, insertAfter, insertBefore, runPatched, type Patches } from '../support/patched-program.ts';

const TYPE = 'src-main/contract/model/item.ts';
const SCHEMA = 'src-main/clients/news/schemas.ts';
const MIGRATION = 'src-main/store/migrations/mirror-002.ts';
const DATABASES = 'src-main/store/database/databases.ts';
const COLUMN = 'src-main/store/items/item-rows.ts';
const DOCUMENT = 'src-main/render/item.ts';

/** Each file of the recipe, in its order: the text of a new one, or the changes. */
const RECIPE: Readonly<Record<string, string | readonly ((text: string) => string)[]>> = {
  [TYPE]: [insertAfter('  originalTitle: string | null;\n', '  madeUp: string | null;\n')],
  [SCHEMA]: [
    insertAfter('const ITEM_FIELDS = new Set([\n', "  'madeUp',\n"),
    insertBefore("    summary: cutTextIn(raw['summary']", "    madeUp: cutTextIn(raw['madeUp'], PARAGRAPH),\n"),
  ],
  [MIGRATION]: 'export const MIRROR_002 = `ALTER TABLE item ADD COLUMN made_up TEXT`;\n',
  [DATABASES]: [
    insertAfter(
      "import { MIRROR_001 } from '../migrations/mirror-001.ts';\n",
      "import { MIRROR_002 } from '../migrations/mirror-002.ts';\n",
    ),
    insertAfter('migrations: [MIRROR_001', ', MIRROR_002'),
  ],
  [COLUMN]: [
    insertAfter("  'original_title',\n", "  'made_up',\n"),
    insertBefore('  summary: string | null;\n', '  made_up: string | null;\n'),
    insertBefore('    summary: item.summary,\n', '    made_up: item.madeUp,\n'),
    insertBefore('    summary: row.summary,\n', '    madeUp: row.made_up,\n'),
  ],
  [DOCUMENT]: [insertBefore("    ...field('Source'", "    ...field('Made up', item.madeUp),\n")],
};
/** All that knows every field of an item: nothing else may need a change. */
const AFFECTED = [
  ...Object.keys(RECIPE),
  'src-main/store/items/save.ts',
  'src-main/store/items/revisions.ts',
  'src-main/store/items/missing-stars.ts',
  'src-main/store/search/search-indexer.ts',
  'src-main/render/item-files.ts',
  'src-main/node/commands/items.ts',
  'src-main/mcp/citation.ts',
];

const patches = (files: readonly string[]): Patches =>
  Object.fromEntries(
    files.map((path): [string, Patches[string]] => {
      const changes = RECIPE[path] ?? [];
      if (typeof changes === 'string') return [path, changes];
      return [path, (text) => changes.reduce((patched, change) => change(patched), text)];
    }),
  );

/** Reads a page of the service, saves it, and prints the item and its text for a terminal. */
const SCRIPT = `
import { readItemsAnswer } from './src-main/clients/news/schemas.ts';
import { openStore } from './src-main/store/index.ts';
import { itemDocument } from './src-main/render/item.ts';
import { TERMINAL_AUDIENCE, toTerminal } from './src-main/node/commands/document-text.ts';

const raw = { id: 'one', title: 'A title', source: { name: 'S' }, links: {}, discoveredAt: '2026-03-18T06:00:00Z' };
const { items } = readItemsAnswer({ count: 1, items: [{ ...raw, madeUp: 'A value\\u0007' }], page: {} });
const store = openStore({ folder: process.argv[2], source: 'https://news.example', now: () => Date.now() });
store.transaction((tx) => items.forEach((item) => tx.items.upsert(item, { kind: 'listed' })));
const item = store.queries.items.get('one');
console.log(JSON.stringify({ item, text: toTerminal(itemDocument(item, TERMINAL_AUDIENCE)).toString() }));
await store.close();
`;

describe('a new field of an item', { timeout: 120_000 }, () => {
  it('takes the six files that the recipe names', () => {
    expect(errorsWith(patches(Object.keys(RECIPE)), AFFECTED)).toEqual([]);
    const recipe =
      /## A new plain field of an item\n([\s\S]*?)\n## /.exec(readFileSync('docs/recipes.md', 'utf8'))?.[1] ?? '';
    for (const file of Object.keys(RECIPE)) expect(recipe).toContain(`\`${file.replace('src-main/', '')}\``);
  });

  it('arrives from the service in the saved item and in its text', () => {
    expect(runPatched(patches(Object.keys(RECIPE)), SCRIPT)).toMatchObject({
      item: { id: 'one', madeUp: 'A value\u0007', extra: {} },
      text: expect.stringContaining('Made up      A value\ufffd') as string,
    });
  });

  it.each([SCHEMA, COLUMN])('does not compile without %s', (missing) => {
    const files = Object.keys(RECIPE).filter((file) => file !== missing);
    expect(errorsWith(patches(files), AFFECTED)).not.toEqual([]);
  });
});
