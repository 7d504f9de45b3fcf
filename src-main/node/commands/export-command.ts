import { Argument, Option, type Command } from 'commander';
import { EDITION_KINDS, type EditionKind } from '../../contract/model/report.ts';
import type { EditionFormat } from './export.ts';
import { parseText } from '../invocation.ts';
import type { Run } from './reading-commands.ts';
import { UsageError } from '../shell.ts';

interface ExportFlags {
  all?: boolean;
  format: EditionFormat;
  out: string;
}

export function addExport(program: Command, run: Run): void {
  program
    .command('export')
    .description('stored reports as files; what is there already and the same is left alone')
    .addArgument(new Argument('<kind>', 'which').choices(EDITION_KINDS))
    .argument('[key]', 'its date, week or month, or latest', parseText(20))
    .option('--all', 'every stored one')
    .addOption(new Option('--format <f>', 'as what').choices(['md', 'html', 'json']).makeOptionMandatory())
    .requiredOption('--out <dir>', 'the folder for the files; it is made if need be', parseText(4096))
    .action((kind: EditionKind, key: string | undefined, { all = false, format, out }: ExportFlags) =>
      run(async (invocation) => {
        if (all === (key !== undefined)) throw new UsageError('Name one report, or all of them with --all.');
        return (await import('./export.ts')).exportEditions(invocation, { kind, key, format, out });
      }),
    );
}
