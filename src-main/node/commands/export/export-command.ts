import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { ITEM_EXPORT_FORMATS, type ItemExportFormat } from '../../../contract/model/export.ts';
import { REPORT_KINDS, type ReportKind } from '../../../contract/model/report.ts';
import { LONGEST_RULE_NAME } from '../../../contract/model/rules.ts';
import { isReportLabel } from '../../../contract/report-labels.ts';
import type { ReportFormat } from './export.ts';
import { parseText, parseWhole } from '../../invocation.ts';
import type { Run } from '../reading-commands.ts';
import { UsageError } from '../../shell.ts';

const SEPARATE = ['md', 'html', 'json'] as const satisfies readonly ReportFormat[];
const JOINED = ['atom', 'epub'] as const;
const ANY_FORMAT = [...new Set([...ITEM_EXPORT_FORMATS, ...SEPARATE, ...JOINED])];

interface ExportFlags {
  all?: boolean;
  month?: string;
  query?: string;
  category?: string;
  saved?: string;
  limit?: number;
  format: (typeof ANY_FORMAT)[number];
  out: string;
}

const OF_ITEMS = ['query', 'category', 'saved', 'limit'] as const;
const OF_REPORTS = ['all', 'month'] as const;

const HELP = `
Items are written to one file: atom, jsonfeed (for feed readers), csv (for spreadsheets) or md. Without --limit, all that match.
Reports are written one file each into a folder: md, html, json; or all into one file: atom, or epub (for e-readers).
A file is replaced when the new one is complete. If --out is a folder, the file gets a name of its own in it.

  broadsheet export items --query "is:starred" --format jsonfeed --out starred.json
  broadsheet export items --saved "Open weights" --limit 100 --format atom --out weights.xml
  broadsheet export daily --month 2026-11 --format epub --out november.epub
  broadsheet export daily --all --format atom --out dailies.xml`;

export function addExport(program: Command, run: Run): void {
  program
    .command('export')
    .description('export saved items as a feed or a table, and reports as files, a feed or an e-book')
    .addArgument(new Argument('<what>', 'items, or a kind of report').choices(['items', ...REPORT_KINDS]))
    .argument('[key]', 'reports: a date, week or month, or latest', parseText(20))
    .option('--all', 'reports: export all saved ones')
    .option('--month <month>', 'daily: export those of a month (YYYY-MM)', parseMonth)
    .option('--query <text>', 'items: only what this finds; see "broadsheet search --help"', parseText(1000))
    .option('--category <c>', 'items: only this category', parseText(200))
    .option('--saved <name>', 'items: only what this saved search shows', parseText(LONGEST_RULE_NAME))
    .option('--limit <n>', 'items: the newest n (default: all)', parseWhole(1, 1_000_000_000))
    .addOption(new Option('--format <f>', 'the file format').choices(ANY_FORMAT).makeOptionMandatory())
    .requiredOption('--out <path>', 'the file to write; md, html, json of reports: the folder', parseOut)
    .addHelpText('after', HELP)
    .action((what: 'items' | ReportKind, key: string | undefined, flags: ExportFlags) =>
      run(async (invocation) => {
        if (what === 'items') return (await import('./items.ts')).exportItems(invocation, ofItems(key, flags));
        const options = ofReports(what, key, flags);
        if (options.format !== 'atom' && options.format !== 'epub') {
          return (await import('./export.ts')).exportReports(invocation, { ...options, format: options.format });
        }
        return (await import('./book.ts')).exportJoined(invocation, { ...options, format: options.format });
      }),
    );
}

function ofItems(key: string | undefined, flags: ExportFlags) {
  if (key !== undefined) throw new UsageError("too many arguments for 'export items'");
  refuse(flags, OF_REPORTS, 'items');
  const format = ITEM_EXPORT_FORMATS.find((one): one is ItemExportFormat => one === flags.format);
  if (!format) throw new UsageError(`items are exported as ${ITEM_EXPORT_FORMATS.join(', ')}`);
  return { ...flags, format };
}

function ofReports(kind: ReportKind, key: string | undefined, flags: ExportFlags) {
  refuse(flags, OF_ITEMS, kind);
  const { all = false, month, out } = flags;
  const format = [...SEPARATE, ...JOINED].find((one) => one === flags.format);
  if (!format) throw new UsageError(`reports are exported as ${[...SEPARATE, ...JOINED].join(', ')}`);
  if ([all, month !== undefined, key !== undefined].filter(Boolean).length !== 1) {
    throw new UsageError(`Give one report, ${kind === 'daily' ? '--month or --all' : 'or --all'}.`);
  }
  if (month !== undefined && kind !== 'daily') throw new UsageError("option '--month' is for 'export daily'");
  return { kind, key, month, format, out };
}

function refuse(flags: ExportFlags, names: readonly (keyof ExportFlags)[], what: string): void {
  const stray = names.find((name) => flags[name] !== undefined);
  if (stray !== undefined) throw new UsageError(`option '--${stray}' cannot be used with 'export ${what}'`);
}

/** Many programs write to standard output then; a file of this name is never meant. */
function parseOut(text: string): string {
  if (text === '-') throw new InvalidArgumentError('Only files and folders can be written, not standard output.');
  return parseText(4096)(text);
}

function parseMonth(text: string): string {
  if (isReportLabel('monthly', text)) return text;
  throw new InvalidArgumentError('It must be a month, like 2026-11.');
}
