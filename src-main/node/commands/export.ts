import { InvalidArgumentError } from 'commander';
import { ITEM_EXPORT_FORMATS } from '../../contract/model/export.ts';
import { isReportLabel, type ReportKind } from '../../contract/model/report.ts';
import { LONGEST_RULE_NAME } from '../../contract/model/search.ts';
import { choice, flag, option, optional, ownCommand, required, text, type Chooser, type Command } from '../command.ts';
import { QUIET } from '../progress.ts';
import { UsageError } from '../shell.ts';
import { limitOption } from './list-options.ts';

const SEPARATE = ['md', 'html', 'json'] as const;
const JOINED = ['atom', 'epub'] as const;
const ANY_FORMAT = [...new Set([...ITEM_EXPORT_FORMATS, ...SEPARATE, ...JOINED])];

const FOR_REPORTS = {
  all: flag('reports: export all saved ones'),
  month: option('month', { about: 'daily: export those of a month (YYYY-MM)', parse: parseMonth }),
};
const FOR_ITEMS = {
  query: option('text', text('items: only what this finds; see "broadsheet search --help"', 1000)),
  category: option('c', text('items: only this category', 200)),
  saved: option('name', text('items: only what this saved search shows', LONGEST_RULE_NAME)),
  limit: limitOption('items: the newest n (default: all)'),
};
const FOR_ALL = {
  ...QUIET,
  out: required(
    option(
      'path',
      text('the file to write; vault, and several md, html, json of reports: the folder; -: standard output', 4096),
    ),
  ),
};
const FORMAT = { format: option('f', choice('the file format; not for a vault', ANY_FORMAT)) };

const HELP = `
Items are written to one file: atom, jsonfeed (for feed readers), csv (for spreadsheets) or md. Without --limit, all that match.
Reports are written one file each into a folder: md, html, json; or all into one file: atom, or epub (for e-readers).
A vault is a folder of Markdown files, one for each starred item and each note. Files that you change are left as they are.
A file is replaced when the new one is complete. If --out is a folder, the file gets a name of its own in it.
Standard output (--out -) and named pipes are written to; messages are on stderr then.

  broadsheet export items --query "is:starred" --format jsonfeed --out starred.json
  broadsheet export items --saved "Open weights" --limit 100 --format atom --out weights.xml
  broadsheet export daily --month 2026-11 --format epub --out november.epub
  broadsheet export daily --all --format atom --out dailies.xml
  broadsheet export daily latest --format md --out - | less
  broadsheet export vault --out notes`;

export const EXPORT: Chooser = {
  about: 'export saved items as a feed or a table, reports as files, a feed or an e-book, stars and notes as a vault',
  choose: 'items, a kind of report, or vault',
  key: { name: 'key', ...text('reports: a date, week or month, or latest', 20) },
  options: { ...FOR_REPORTS, ...FOR_ITEMS, ...FORMAT, ...FOR_ALL },
  help: HELP,
  missing: (row) => `'export ${row}' needs a report`,
  excess: (row) => `too many arguments for 'export ${row}'`,
};

const loadBodies = () => import('./export-files.ts');

export const EXPORT_COMMANDS = {
  'export items': ownCommand({
    options: { ...FOR_ITEMS, ...FORMAT, ...FOR_ALL },
    check: ({ format }) => formatOf(format, 'items', ITEM_EXPORT_FORMATS),
    run: async ({ format: asked, ...given }, invocation) => {
      const format = formatOf(asked, 'items', ITEM_EXPORT_FORMATS);
      return (await loadBodies()).exportItems(invocation, { ...given, format });
    },
  }),
  'export daily': reports('daily'),
  'export weekly': reports('weekly'),
  'export monthly': reports('monthly'),
  'export vault': ownCommand({
    options: FOR_ALL,
    run: async (given, invocation) => {
      if (given.out === '-') throw new UsageError('A vault needs a folder.');
      return (await loadBodies()).exportVault(invocation, given);
    },
  }),
};

function formatOf<F extends string>(asked: string | undefined, what: string, formats: readonly F[]): F {
  const format = formats.find((one) => one === asked);
  if (format) return format;
  if (asked === undefined) throw new UsageError("required option '--format <f>' not specified");
  throw new UsageError(`${what} are exported as ${formats.join(', ')}`);
}

interface ReportChoice {
  key: string | undefined;
  all?: boolean;
  month?: string;
  format?: string;
}

function reports(kind: ReportKind): Command {
  const check = ({ key, all = false, month, format }: ReportChoice) => {
    if ([all, month !== undefined, key !== undefined].filter(Boolean).length !== 1) {
      throw new UsageError(`Give one report, ${kind === 'daily' ? '--month or --all' : 'or --all'}.`);
    }
    if (month !== undefined && kind !== 'daily') throw new UsageError("option '--month' is for 'export daily'");
    return formatOf(format, 'reports', [...SEPARATE, ...JOINED]);
  };
  return ownCommand({
    args: { key: optional(text('', 20)) },
    options: { ...FOR_REPORTS, ...FORMAT, ...FOR_ALL },
    check,
    run: async (given, invocation) => {
      const format = check(given);
      const { exportReports, exportJoined } = await loadBodies();
      if (format === 'atom' || format === 'epub') return exportJoined(invocation, { ...given, kind, format });
      return exportReports(invocation, { ...given, kind, format });
    },
  });
}

function parseMonth(text: string): string {
  if (isReportLabel('monthly', text)) return text;
  throw new InvalidArgumentError('It must be a month, like 2026-11.');
}
