import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorsWith, insertAfter, type Patches } from '../support/patched-program.ts';

const TABLE = 'src-main/node/command-table.ts';
const DOMAIN = 'src-main/node/commands/notes.ts';
/** All that knows every command: nothing else may need a change. */
const AFFECTED = [TABLE, DOMAIN, 'src-main/node/program.ts', 'src-main/node/commands/completions.ts'];

const domain = (command: string): Patches => ({ [DOMAIN]: insertAfter('export const NOTE_COMMANDS = {', command) });
const top = (row: string): Patches => ({ [TABLE]: insertAfter('  sync: null,', row) });

const record = (name: string, text = '({ made }) => `${made} made`'): string => `
  '${name}': command({
    about: 'count what is made up',
    needs: 'reads',
    args: { first: text('where to begin', 20) },
    options: { most: option('n', whole('how many', 1, 9)) },
    run: async ({ first, most = 9 }, { call }) => ({ made: (await call('notes.keys', {})).keys.length + first.length + most }),
    text: ${text},
  }),`;
const list = `
  'list made-up': listCommand({
    needs: 'reads',
    options: listOptions('unread'),
    async *run({ limit = 2, unread = false }) {
      for (let made = 0; made < limit; made += 1) yield { made, unread };
    },
    text: ({ made, unread }) => \`\${made}\${unread ? ' unread' : ''}\`,
    empty: 'Nothing made up.',
  }),`;
const importAll = (text: string): string =>
  text.replace(
    /import \{ choice, command, listCommand, text \}/,
    'import { choice, command, listCommand, option, text, whole }',
  );
const single = (command: string): Patches => ({
  [DOMAIN]: (text) => importAll(insertAfter('export const NOTE_COMMANDS = {', command)(text)),
});

describe('a new command', { timeout: 120_000 }, () => {
  it.each<[what: string, patches: Patches]>([
    ['in a group', single(record('note made-up'))],
    ['by itself, with its place in the help', { ...single(record('made-up')), ...top("'made-up': null,") }],
    ['as a list', domain(list)],
  ])('%s takes one entry of a file of commands, as the recipe says', (_what, patches) => {
    expect(errorsWith(patches, AFFECTED)).toEqual([]);
    const recipe = /## A new command\n([\s\S]*?)\n## /.exec(readFileSync('docs/recipes.md', 'utf8'))?.[1] ?? '';
    for (const file of ['node/commands/', 'node/command-table.ts']) expect(recipe).toContain(`\`${file}`);
  });

  it.each<[what: string, patches: Patches, file: string]>([
    ['without a place in the help', single(record('made-up')), TABLE],
    ['with a place in the help alone', top("'made-up': null,"), TABLE],
    ['with a text of another record', single(record('note made-up', '({ other }) => other')), DOMAIN],
    ['without a text', single(record('note made-up').replace(/ {4}text: .*,\n/, '')), DOMAIN],
    ['with an option that its list does not take', domain(list.replace("'unread'", "'made-up'")), DOMAIN],
  ])('does not compile %s', (_what, patches, file) => {
    expect(errorsWith(patches, [file])).not.toEqual([]);
  });
});
