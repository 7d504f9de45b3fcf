import type { Command } from 'commander';
import { parseText } from '../invocation.ts';
import type { Run } from './reading-commands.ts';

const FILE = parseText(4096);
const commands = () => import('./data.ts');

/** What is done with the reader's data as a whole. Each command's module is loaded when it runs. */
export function addData(program: Command, run: Run): void {
  const data = program.command('data').description('what you did and chose, as a whole: out, in, copied, put back');
  data
    .command('export')
    .description('all of it as one JSON file (docs/user-data.md), without the key')
    .argument('<file>', 'where to', FILE)
    .action((file: string) => run(async (invocation) => (await commands()).exportData(invocation, file)));
  data
    .command('import')
    .description('such a file into what is here: nothing that is here goes')
    .argument('<file>', 'where from', FILE)
    .action((file: string) => run(async (invocation) => (await commands()).importData(invocation, file)));
  data
    .command('backups')
    .description('the copies of user.db, newest first')
    .action(() => run(async (invocation) => (await commands()).backups(invocation)));
  data
    .command('backup')
    .description('copy user.db now')
    .action(() => run(async (invocation) => (await commands()).backUp(invocation)));
  data
    .command('restore')
    .description('put a copy in the place of user.db, which is set aside')
    .argument('<name>', 'its name, as data backups tells it', parseText(120))
    .action((name: string) => run(async (invocation) => (await commands()).restore(invocation, name)));
  data
    .command('rebuild')
    .description('throw away what the services said, to be fetched anew; what you did stays')
    .action(() => run(async (invocation) => (await commands()).rebuild(invocation)));
}
