import type { Command } from 'commander';
import { parseText } from '../../invocation.ts';
import type { Run } from '../reading-commands.ts';

const commands = () => import('./marks-folder.ts');

/** Adds the commands for the folder through which machines share marks. */
export function addMarksFolder(program: Command, run: Run): void {
  const marks = program
    .command('marks-folder')
    .description('share what you mark with your other machines, through a folder that you already sync');
  marks
    .command('status')
    .description('show the folder and its machines as the last comparison found them')
    .action(() => run(async (invocation) => (await commands()).showMarksFolder(invocation)));
  marks
    .command('compare')
    .description('compare with the folder now: write what is new here, take what is new there')
    .action(() => run(async (invocation) => (await commands()).compareMarksFolder(invocation)));
  marks
    .command('set')
    .description('share marks through a folder, such as one of Syncthing, Dropbox or iCloud Drive, or a share')
    .argument('<folder>', 'the folder; the same one on each machine', parseText(4096))
    .option(
      '--passphrase',
      'encrypt with a passphrase, which is read from standard input; the same one on each machine',
    )
    .option('--no-passphrase', 'encrypt no more')
    .option('--settings', 'share how you like to read, too: theme, language, shortcuts, notifications and the like')
    .option('--no-settings', 'share no settings')
    .action((folder: string, { passphrase, settings }: { passphrase?: boolean; settings?: boolean }) =>
      run(async (invocation) =>
        (await commands()).setMarksFolder(invocation, folder, {
          ...(passphrase !== undefined && { encrypts: passphrase }),
          ...(settings !== undefined && { settings }),
        }),
      ),
    );
  marks
    .command('off')
    .description('share no more; marks and files stay')
    .action(() => run(async (invocation) => (await commands()).leaveMarksFolder(invocation)));
  marks
    .command('remove')
    .description('remove the files of a machine that you no longer use; its marks stay')
    .argument('<machine>', 'its id: see marks-folder status', parseText(16))
    .action((machine: string) => run(async (invocation) => (await commands()).removeMarksMachine(invocation, machine)));
}
