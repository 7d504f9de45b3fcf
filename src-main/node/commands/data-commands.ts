import type { Command } from 'commander';
import { parseText } from '../invocation.ts';
import type { Run } from './reading-commands.ts';

const FILE = parseText(4096);
const commands = () => import('./data.ts');

export function addData(program: Command, run: Run): void {
  const data = program.command('data').description('export, import, back up and restore your data');
  data
    .command('export')
    .description('export everything as one JSON file (docs/user-data.md), without the key')
    .argument('<file>', 'the file to write', FILE)
    .action((file: string) => run(async (invocation) => (await commands()).exportData(invocation, file)));
  data
    .command('import')
    .description('merge an exported file into your data; nothing is removed')
    .argument('<file>', 'the file to read', FILE)
    .action((file: string) => run(async (invocation) => (await commands()).importData(invocation, file)));
  data
    .command('backups')
    .description('list the backups of user.db, newest first')
    .action(() => run(async (invocation) => (await commands()).backups(invocation)));
  data
    .command('backup')
    .description('back up user.db now')
    .action(() => run(async (invocation) => (await commands()).backUp(invocation)));
  data
    .command('restore')
    .description('replace user.db with a backup; the current one is renamed')
    .argument('<name>', 'the name of the backup, from "data backups"', parseText(120))
    .action((name: string) => run(async (invocation) => (await commands()).restore(invocation, name)));
  data
    .command('dismiss')
    .description('end the message about a file that was damaged; the file that was renamed stays')
    .argument('<name>', 'the name of the renamed file, from "status"', parseText(120))
    .action((name: string) => run(async (invocation) => (await commands()).dismiss(invocation, name)));
  data
    .command('rebuild')
    .description('download the news again; what is saved stays until that is complete')
    .action(() => run(async (invocation) => (await commands()).rebuild(invocation)));
}
