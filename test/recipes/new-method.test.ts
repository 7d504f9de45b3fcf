import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorsWith, insertAfter, type Patches } from '../support/patched-program.ts';

const TABLE = 'src-main/contract/methods.ts';
const CALLER = 'src-main/core/made-up-caller.ts';
/** All that knows every method of a kind: nothing else may need a change. */
const AFFECTED = [
  TABLE,
  'src-main/core/reads.ts',
  'src-main/core/host-methods.ts',
  'src-main/core/wire.ts',
  'src-main/core/reading-core.ts',
  'src-main/core/engine/mirror.ts',
  'src-main/core/engine/engine-worker.ts',
  'src-main/sync/engine/engine.ts',
];

interface Recipe {
  /** The row in the table. */
  kind: 'read' | 'engine' | 'host';
  /** The file of the body, what stands before it, and the body. */
  file: string;
  anchor: string;
  body: string;
}

const RECIPES: readonly Recipe[] = [
  {
    kind: 'read',
    file: 'src-main/core/reads.ts',
    anchor: 'const READS: Reads = {',
    body: "'made.up': ({ notes }, { count }) => ({ made: notes.keys().length + count }),",
  },
  {
    kind: 'engine',
    file: 'src-main/sync/engine/status-methods.ts',
    anchor: '  return {\n    ',
    body: "'made.up': ({ count }) => ({ made: store.queries.notes.keys().length + count }),",
  },
  {
    kind: 'host',
    file: 'src-main/core/host-methods.ts',
    anchor: 'const HOST_METHODS: HostMethods = {',
    body: "'made.up': ({ count }, { ports }) => ({ made: ports.clock.now() + count }),",
  },
];

const row = ({ kind }: Recipe): Patches => ({
  [TABLE]: insertAfter(
    'const METHODS = {',
    `'made.up': ${kind}({ count: z.int().min(0).max(9) }).returns<{ made: number }>(),`,
  ),
});
const body = ({ file, anchor, body: text }: Recipe): Patches => ({ [file]: insertAfter(anchor, text) });
const caller = (...calls: string[]): Patches => ({
  [CALLER]: `import type { Wire } from '../contract/wire.ts';
export async function call(wire: Wire): Promise<void> {
  let made = 0;
${calls
  .map(
    (args) => `  {
    const reply = await wire.call('made.up', ${args});
    if (reply.ok) made += reply.value.made;
  }`,
  )
  .join('\n')}
  await wire.call('app.savePlace', { place: String(made) });
}`,
});

/** Lists the files that the recipe in the docs names. */
const named = (): string[] => {
  const section = /## A new method\n([\s\S]*?)\n## /.exec(readFileSync('docs/recipes.md', 'utf8'))?.[1] ?? '';
  return [...section.matchAll(/`((?:contract|core|sync)\/[\w./-]+)`/g)].map(([, path = '']) => `src-main/${path}`);
};

describe('a new method', { timeout: 120_000 }, () => {
  it.each(RECIPES)('of kind $kind takes a row and a body, in the two files that the recipe names', (recipe) => {
    const patches = { ...row(recipe), ...body(recipe), ...caller('{ count: 1 }') };
    expect(errorsWith(patches, [...AFFECTED, recipe.file, CALLER])).toEqual([]);
    for (const file of [TABLE, recipe.file]) expect(named().some((path) => file.startsWith(path))).toBe(true);
  });

  it.each(RECIPES)('of kind $kind does not compile without its body', (recipe) => {
    expect(errorsWith(row(recipe), AFFECTED).join('\n')).toContain('made.up');
  });

  it.each(RECIPES)('of kind $kind does not compile without its row', (recipe) => {
    expect(errorsWith(body(recipe), [recipe.file]).join('\n')).toContain('made.up');
  });

  it('is not called with other arguments', () => {
    const [recipe] = RECIPES as [Recipe];
    const calls = caller('{}', "{ count: 'one' }", '{ count: undefined }', '{ count: 1, more: 2 }');
    expect(errorsWith({ ...row(recipe), ...body(recipe), ...calls }, [CALLER])).toHaveLength(4);
  });
});
