import type { Command } from 'commander';
import { LONGEST_RULE_NAME, LONGEST_RULE_QUERY, MOST_SAVED_SEARCHES } from '../../../contract/model/rules.ts';
import { parseText, parseWhole } from '../../invocation.ts';
import type { Run } from '../reading-commands.ts';
import type { SavedChange } from './rules.ts';

const commands = () => import('./rules.ts');
const NAME = parseText(LONGEST_RULE_NAME);
const QUERY = parseText(LONGEST_RULE_QUERY);

/** Adds the commands for saved searches and mute rules. */
export function addRules(program: Command, run: Run): void {
  const saved = program.command('saved').description('list, add, change or remove saved searches');
  saved
    .command('list')
    .description('list saved searches with what they have')
    .action(() => run(async (invocation) => (await commands()).listSaved(invocation)));
  saved
    .command('add')
    .description('save a search as a view')
    .argument('<name>', 'its name', NAME)
    .argument('<query>', 'as in list items --query', QUERY)
    .option('--notify', 'notify about new items')
    .action((name: string, query: string, { notify = false }: { notify?: boolean }) =>
      run(async (invocation) => (await commands()).addSaved(invocation, { name, query, notify })),
    );
  saved
    .command('change')
    .description('change a saved search')
    .argument('<name>', 'its name', NAME)
    .option('--name <name>', 'its new name', NAME)
    .option('--query <query>', 'its new query', QUERY)
    .option('--notify', 'notify about new items')
    .option('--no-notify', 'no longer notify')
    .option('--place <n>', 'its place among the others: 1 is the first', parseWhole(1, MOST_SAVED_SEARCHES))
    .action((name: string, change: SavedChange) =>
      run(async (invocation) => (await commands()).changeSaved(invocation, name, change)),
    );
  saved
    .command('remove')
    .description('remove a saved search; its items stay')
    .argument('<name>', 'its name', NAME)
    .action((name: string) => run(async (invocation) => (await commands()).removeSaved(invocation, name)));
  const mute = program.command('mute').description('hide items by words, source or category');
  mute
    .command('list')
    .description('list mute rules with how many saved items each matches')
    .action(() => run(async (invocation) => (await commands()).listMutes(invocation)));
  mute
    .command('add')
    .description('hide what matches; it stays in Starred, and list items --query is:muted shows it')
    .argument('<query>', 'as in list items --query: words, source:name, category:paper', QUERY)
    .action((query: string) => run(async (invocation) => (await commands()).addMute(invocation, query)));
  mute
    .command('remove')
    .description('show again what a rule hides')
    .argument('<id>', 'its id: see mute list', parseText(36))
    .action((id: string) => run(async (invocation) => (await commands()).removeMute(invocation, id)));
}
