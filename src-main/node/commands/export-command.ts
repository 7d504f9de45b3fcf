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
    .description('export saved reports as files; unchanged files are not rewritten')
    .addArgument(new Argument('<kind>', 'the kind of report').choices(REPORT_KINDS))
    .argument('[key]', 'a date, week or month, or latest', parseText(20))
    .option('--all', 'export all saved reports')
    .addOption(new Option('--format <f>', 'the file format').choices(['md', 'html', 'json']).makeOptionMandatory())
    .requiredOption('--out <dir>', 'the folder for the files; created if necessary', parseText(4096))
    .action((kind: ReportKind, key: string | undefined, { all = false, format, out }: ExportFlags) =>
      run(async (invocation) => {
        if (all === (key !== undefined)) throw new UsageError('Give one report, or --all.');
        return (await import('./export.ts')).exportReports(invocation, { kind, key, format, out });
      }),
    );
}
