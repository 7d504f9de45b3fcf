import { LONGEST_RULE_NAME } from '../../contract/model/search.ts';
import { optional, ownCommand, parseText, text } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../run-command.ts';
import { EXIT } from '../shell.ts';
import { bold, line, red, type Text } from '../terminal-text.ts';

const HELP = `
An export is added with the arguments of "broadsheet export", after --. It is written at once, and again by sync and serve after
each sync that changed something; a file whose content stays the same is left alone. A path counts from the current folder.

  broadsheet exports add weights -- items --saved "Open weights" --format atom --out ~/Sync/weights.xml
  broadsheet exports add daily -- daily latest --format epub --out ~/Sync/daily.epub
  broadsheet exports add notes -- vault --out ~/Sync/notes`;

const name = text('its name', LONGEST_RULE_NAME);
const WORD = parseText(4096);
const load = () => import('../standing-exports.ts');

export const STANDING_COMMANDS = {
  'exports list': ownCommand({
    about: 'list the standing exports',
    run: async (_given, invocation) => {
      const exports = await (await load()).standingExports(invocation);
      for (const one of exports) await print(invocation, one, line`${bold(one.name)}: export ${quote(one.words)}`);
      if (exports.length === 0) await invocation.shell.err.line('No standing exports.');
      return EXIT.well;
    },
  }),
  'exports add': ownCommand({
    about: 'add a standing export, and write it',
    args: {
      name,
      words: {
        about: 'the arguments of export, after --',
        several: true,
        parse: (word: string, before: string[] | undefined): string[] => [...(before ?? []), WORD(word)],
      },
    },
    help: HELP,
    run: async ({ name, words }, invocation) => {
      const { addExport } = await load();
      const added = await withStored(invocation, (within) => addExport(invocation, within, name, words));
      await print(invocation, added, exportText(name, null));
      return EXIT.well;
    },
  }),
  'exports remove': ownCommand({
    about: 'remove a standing export; its files stay',
    args: { name },
    run: async ({ name }, invocation) => {
      await (await load()).removeExport(invocation, name);
      await print(invocation, { removed: name }, 'Standing export removed');
      return EXIT.well;
    },
  }),
  'exports run': ownCommand({
    about: 'write all standing exports now, or one',
    args: { name: optional(name) },
    run: async ({ name }, invocation) => {
      const { runExports } = await load();
      const outcomes = await withStored(invocation, (within) => runExports(invocation, within, name));
      const { out, err } = invocation.shell;
      for (const one of outcomes) {
        await print(invocation, one, exportText(one.name, one.error), one.error === null ? out : err);
      }
      return outcomes.some(({ error }) => error !== null) ? EXIT.failed : EXIT.well;
    },
  }),
};

export function exportText(name: string, error: string | null): Text {
  return error === null ? line`Export ${name} written` : line`${red(`Export ${name} failed:`)} ${error}`;
}

function quote(words: readonly string[]): string {
  return words.map((word) => (/^[\w./=:,+-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

async function withStored<T>(
  invocation: Invocation,
  work: (within: NonNullable<Invocation['within']>) => Promise<T>,
): Promise<T> {
  const [{ openStored }, { stopAtSignal }] = await Promise.all([
    import('../open-core.ts'),
    import('./export-files.ts'),
  ]);
  const stop = stopAtSignal();
  const { call, close } = await openStored(invocation);
  return work({ call, stop }).finally(close);
}
