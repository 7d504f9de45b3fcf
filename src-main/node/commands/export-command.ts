import { Argument, Option, type Command } from 'commander';
import { REPORT_KINDS, type ReportKind } from '../../contract/model/report.ts';
import type { ReportFormat } from './export.ts';
import { parseText } from '../invocation.ts';
import type { Run } from './reading-commands.ts';
import { UsageError } from '../shell.ts';

interface ExportFlags {
  all?: boolean;
  format: ReportFormat;
  out: string;
}

export function addExport(program: Command, run: Run): void {
  program
    .command('export')
    .description('stored reports as files; what is there already and the same is left alone')
    .addArgument(new Argument('<kind>', 'which').choices(REPORT_KINDS))
    .argument('[key]', 'its date, week or month, or latest', parseText(20))
    .option('--all', 'every stored one')
    .addOption(new Option('--format <f>', 'as what').choices(['md', 'html', 'json']).makeOptionMandatory())
    .requiredOption('--out <dir>', 'the folder for the files; it is made if need be', parseText(4096))
    .action((kind: ReportKind, key: string | undefined, { all = false, format, out }: ExportFlags) =>
      run(async (invocation) => {
        if (all === (key !== undefined)) throw new UsageError('Name one report, or all of them with --all.');
        return (await import('./export.ts')).exportReports(invocation, { kind, key, format, out });
      }),
    );
}
