import { Argument, Command, CommanderError, Option } from 'commander';
import { DEMO_KINDS } from '../contract/demo.ts';
import { mapSystemError } from '../common/system-errors.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { ItemAction } from '../contract/model/item.ts';
import { ACCEPTABLE_RESOURCES, type AcceptableResource } from '../contract/model/resource.ts';
import { addData } from './commands/data-commands.ts';
import { addExport } from './commands/export/export-command.ts';
import { addMarksFolder } from './commands/marks-folder/marks-folder-command.ts';
import { addOpen } from './commands/open/open-command.ts';
import { addRules } from './commands/rules/rule-command.ts';
import { addShell, type RunPlain } from './commands/shell/shell-commands.ts';
import { addService } from './commands/service/service-command.ts';
import { addSettings } from './commands/settings/settings-command.ts';
import { addNotes } from './commands/notes/note-command.ts';
import { parseAddress, parseText, parseWhole, resolveInvocation } from './invocation.ts';
import type { CommonOptions } from './invocation.ts';
import { addReading, type Run } from './commands/reading-commands.ts';
import { sayDiskFull } from './log.ts';
import { EXIT, MachineError, UsageError } from './shell.ts';
import type { ExitCode, Shell } from './shell.ts';
import { bold, line, lines, red, type StyledText } from './styled-text.ts';
import { oneLine } from './terminal.ts';

const ITEM_ID = parseText(512);
const FOLDER = parseText(4096);
/** In UTF-16 units. */
const LONGEST_LINE = 300;
const hintOf = (path: readonly string[]): string => `See ${['broadsheet', ...path].join(' ')} --help.`;
const ENVIRONMENT = `
Environment: BROADSHEET_DATA, BROADSHEET_NEWS_URL, BROADSHEET_MODELS_URL, BROADSHEET_MODELS_KEY, BROADSHEET_DEMO.
An option overrides the environment, the environment overrides the saved setting, and that overrides the built-in demo
service. The key is sent only to the model service set when the command starts, over https or to this computer, and is held
in memory only. With a news service but no model service, no models are shown. Colours are shown on a terminal; NO_COLOR=1
turns them off, FORCE_COLOR=1 on.
Exit codes: 0 success, 1 something failed (everything else is saved), 2 wrong usage.`;

/** Runs a command line. Never throws: failures are printed to stderr and set the exit code. */
export async function runProgram(args: readonly string[], version: string, shell: Shell): Promise<ExitCode> {
  let exit: ExitCode = EXIT.well;
  let begun: string[] = [];
  let path: string[] = [];
  const program = createProgram(version, shell, {
    run: async (command) => {
      const invocation = resolveInvocation(program.opts<CommonOptions>(), shell);
      path = begun;
      exit = await command(invocation);
    },
    runPlain: async (command) => {
      exit = await command();
    },
  });
  program.hook('preAction', (_program, command) => {
    begun = pathOf(command);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    return reportError(error, shell, path);
  }
}

interface Runners {
  run: Run;
  /** For commands that need no data folder. */
  runPlain: RunPlain;
}

/** All commands. */
export function createProgram(version: string, shell: Shell, { run, runPlain }: Runners): Command {
  const program = new Command('broadsheet')
    .description('Read an AI news service, offline too.')
    .version(version)
    .option('--data <dir>', 'the data folder', FOLDER)
    .option('--news <url>', 'the news service', parseAddress)
    .option('--models <url>', 'the model service', parseAddress)
    .addOption(
      new Option('--demo <kind>', 'the built-in demo service; harsh: with all the faults of a real one')
        .choices(DEMO_KINDS)
        .conflicts('news'),
    )
    .option('--json', 'print results as JSON')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', ENVIRONMENT)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void shell.out.line(helpText(text.trimEnd())),
      writeErr: (text) => void shell.err.line(mistakeText(text.trimEnd())),
    });
  addFetching(program, run);
  addReading(program, run);
  addOpen(program, run);
  addStatus(program, run);
  addExport(program, run);
  addMark(program, run);
  addNotes(program, run);
  addRules(program, run);
  addMarksFolder(program, run);
  addData(program, run);
  addSettings(program, run);
  addMcp(program, run);
  addService(program, run);
  addShell(program, shell, version, runPlain);
  addHints(program);
  return program;
}

/** After a mistake in a command, its own help helps. */
function addHints(command: Command): void {
  command.showHelpAfterError(hintOf(pathOf(command)));
  command.on('beforeHelp', () => {
    refuseUnknown(command);
  });
  for (const below of command.commands) addHints(below);
}

/** Help about a command that doesn't exist is a mistake, too: Commander would show that of the one above. */
function refuseUnknown(command: Command): void {
  const [first, second] = command.args;
  const name = first === 'help' ? second : first;
  if (command.commands.length === 0 || name === undefined || name.startsWith('-')) return;
  if (command.commands.some((one) => one.name() === name)) return;
  command.error(`error: unknown command '${name}'`, { exitCode: EXIT.usage, code: 'commander.unknownCommand' });
}

/** The names of a command, without that of the program. */
function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

// Command modules are loaded on demand: --help and usage errors do not need the database.

function addFetching(program: Command, run: Run): void {
  program
    .command('sync')
    .description('download what is due, then exit')
    .option('--all', 'download everything now, but never before a Retry-After has passed')
    .addOption(
      new Option('--accept <list>', 'first apply the smaller list that `status` shows as waiting for you')
        .choices(ACCEPTABLE_RESOURCES)
        .conflicts('all'),
    )
    .action(({ all = false, accept = null }: { all?: boolean; accept?: AcceptableResource | null }) =>
      run(async (invocation) => (await import('./commands/sync.ts')).sync(invocation, { all, accept })),
    );
  program
    .command('serve')
    .description('serve the reader to a browser on this computer; prints the address as JSON: {"url": ...}')
    .addOption(
      new Option('--port <n>', 'the port on 127.0.0.1').argParser(parseWhole(0, 65_535)).default(0, 'any free port'),
    )
    .action(({ port }: { port: number }) =>
      run(async (invocation) => (await import('./commands/serve.ts')).serve(invocation, { port })),
    );
}

function addMcp(program: Command, run: Run): void {
  program
    .command('mcp')
    .description('serve what is saved to an MCP client over stdin and stdout; reads only, also while the app runs')
    .action(() => run(async (invocation) => (await import('./commands/mcp.ts')).mcp(invocation)));
}

function addStatus(program: Command, run: Run): void {
  program
    .command('status')
    .description('show what is saved, how old it is and when the next sync is due')
    .option('--check', 'also check the databases for damage')
    .action(({ check = false }: { check?: boolean }) =>
      run(async (invocation) => (await import('./commands/status.ts')).status(invocation, { check })),
    );
}

function addMark(program: Command, run: Run): void {
  program
    .command('mark')
    .description('mark items as read or unread, star or unstar them')
    .addArgument(new Argument('<mark>', 'the action').choices(['read', 'unread', 'star', 'unstar']))
    .argument('<id...>', 'the ids of the items', (id: string, before: string[] | undefined) => [
      ...(before ?? []),
      ITEM_ID(id),
    ])
    .action((mark: ItemAction, ids: string[]) =>
      run(async (invocation) => (await import('./commands/mark.ts')).mark(invocation, { mark, ids })),
    );
}

/** Help and version, with bold headings. */
function helpText(text: string): StyledText {
  return lines(
    text.split('\n').map((said) => {
      const [, heading, rest = ''] = /^([A-Z][a-z]+(?: [a-z]+)?:)(.*)$/.exec(said) ?? [];
      return heading === undefined ? said : line`${bold(heading)}${rest}`;
    }),
  );
}

/** Messages about wrong usage quote the argument between their first words and what is wrong with it. */
function mistakeText(text: string): StyledText {
  return lines(
    text.split('\n').map((said) => {
      const [, mistake] = /^error: (.*)$/.exec(said) ?? [];
      return mistake === undefined
        ? oneLine(cutLine(said))
        : line`${red('error:')} ${cutLine(mistake.replace(/^command-argument value/, 'value'))}`;
    }),
  );
}

function cutLine(text: string): string {
  if (text.length <= LONGEST_LINE) return text;
  return `${text.slice(0, LONGEST_LINE / 2)}…${text.slice(-LONGEST_LINE / 2)}`;
}

async function reportError(error: unknown, shell: Shell, path: readonly string[]): Promise<ExitCode> {
  // Commander has already printed it. --help and --version end here too, with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.well : EXIT.usage;
  if (error instanceof UsageError) {
    await shell.err.line(lines([line`${red('error:')} ${error.message}`, hintOf(path)]));
    return EXIT.usage;
  }
  const failure = mapSystemError(error);
  if (failure instanceof BroadsheetError && failure.code === 'disk_full') {
    await sayDiskFull(shell, 'broadsheet:', failure.message);
  } else await shell.err.line(line`${red('broadsheet:')} ${describeFailure(error)}`);
  if (shell.environment['BROADSHEET_DEBUG'] && error instanceof Error) await shell.err.line(error.stack ?? '');
  return error instanceof BroadsheetError && error.code === 'invalid_argument' ? EXIT.usage : EXIT.failed;
}

/** One line about a failure. Messages of unexpected errors are hidden, because they may contain anything. */
export function describeFailure(thrown: unknown): string {
  const error = mapSystemError(thrown);
  if (error instanceof BroadsheetError || error instanceof MachineError) return oneLine(error.message);
  const { code } = error as NodeJS.ErrnoException;
  const kind = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
  return `unexpected error (${oneLine(kind)}). Set BROADSHEET_DEBUG=1 for details`;
}
