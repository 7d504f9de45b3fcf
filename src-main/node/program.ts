import { Argument, Command, CommanderError, Option } from 'commander';
import { BroadsheetError } from '../contract/errors.ts';
import type { ItemAction } from '../contract/model/item.ts';
import { addData } from './commands/data-commands.ts';
import { addExport } from './commands/export-command.ts';
import { parseAddress, parseText, parseWhole, resolveInvocation } from './invocation.ts';
import type { CommonOptions } from './invocation.ts';
import { addReading, type Run } from './commands/reading-commands.ts';
import { EXIT, MachineError, UsageError } from './shell.ts';
import type { ExitCode, Shell } from './shell.ts';
import { oneLine } from './terminal.ts';

const ITEM_ID = parseText(512);
const FOLDER = parseText(4096);
const HINT = 'See broadsheet --help.';
const ENVIRONMENT = `
Environment: BROADSHEET_DATA, BROADSHEET_NEWS_URL, BROADSHEET_MODELS_URL, BROADSHEET_MODELS_KEY.
An option goes before the environment, that before the stored setting, that before the built-in demo service.
The key goes to the model service that is named when the command starts, over https or to this machine, and nowhere else;
it is kept in memory only. Without a model service there are no models beside real news.
Exit code: 0 all well, 1 something failed (the rest is stored), 2 wrong usage.`;

/** Runs one command line to its end. Never throws: every failure is words on stderr and an exit code. */
export async function runProgram(args: readonly string[], version: string, shell: Shell): Promise<ExitCode> {
  let exit: ExitCode = EXIT.well;
  const program = createProgram(version, shell, async (command) => {
    exit = await command(resolveInvocation(program.opts<CommonOptions>(), shell));
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    return tell(error, shell);
  }
}

function createProgram(version: string, shell: Shell, run: Run): Command {
  const program = new Command('broadsheet')
    .description('A reader for an AI news service, readable offline.')
    .version(version)
    .option('--data <dir>', 'the data folder', FOLDER)
    .option('--news <url>', 'the news service', parseAddress)
    .option('--models <url>', 'the model service', parseAddress)
    .option('--json', 'results as JSON')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', ENVIRONMENT)
    .showHelpAfterError(HINT)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void shell.out.line(text.trimEnd()),
      writeErr: (text) => void shell.err.line(text.trimEnd()),
    });
  addFetching(program, run);
  addReading(program, run);
  addStatus(program, run);
  addExport(program, run);
  addMark(program, run);
  addData(program, run);
  return program;
}

// Each command's module is loaded when it runs: --help and a wrong option need no database.

function addFetching(program: Command, run: Run): void {
  program
    .command('sync')
    .description('one round of what is due, then exit')
    .option('--all', 'everything now, whatever its due time, but never before a Retry-After has passed')
    .action(({ all = false }: { all?: boolean }) =>
      run(async (invocation) => (await import('./commands/sync.ts')).sync(invocation, { all })),
    );
  program
    .command('serve')
    .description('the reader for this machine\'s browser, at the address that is printed as JSON: {"url": ...}')
    .addOption(
      new Option('--port <n>', 'the port on 127.0.0.1').argParser(parseWhole(0, 65_535)).default(0, 'any free one'),
    )
    .action(({ port }: { port: number }) =>
      run(async (invocation) => (await import('./commands/serve.ts')).serve(invocation, { port })),
    );
}

function addStatus(program: Command, run: Run): void {
  program
    .command('status')
    .description('what is stored, how old it is and what comes next')
    .option('--check', 'look whether the databases are whole')
    .action(({ check = false }: { check?: boolean }) =>
      run(async (invocation) => (await import('./commands/status.ts')).status(invocation, { check })),
    );
}

function addMark(program: Command, run: Run): void {
  program
    .command('mark')
    .description('mark items')
    .addArgument(new Argument('<mark>', 'how').choices(['read', 'unread', 'star', 'unstar']))
    .argument('<id...>', 'their ids', (id: string, before: string[] | undefined) => [...(before ?? []), ITEM_ID(id)])
    .action((mark: ItemAction, ids: string[]) =>
      run(async (invocation) => (await import('./commands/mark.ts')).mark(invocation, { mark, ids })),
    );
}

async function tell(error: unknown, shell: Shell): Promise<ExitCode> {
  // Commander has said it already; --help and --version come this way too, with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.well : EXIT.usage;
  if (error instanceof UsageError) {
    await shell.err.line(`error: ${oneLine(error.message)}\n${HINT}`);
    return EXIT.usage;
  }
  await shell.err.line(`broadsheet: ${failureInWords(error)}`);
  if (shell.environment['BROADSHEET_DEBUG'] && error instanceof Error) await shell.err.line(error.stack ?? '');
  return error instanceof BroadsheetError && error.code === 'invalid_argument' ? EXIT.usage : EXIT.failed;
}

/** One line for a person. A defect's own text may hold anything, so it is shown only when asked for. */
export function failureInWords(error: unknown): string {
  if (error instanceof BroadsheetError || error instanceof MachineError) return oneLine(error.message);
  const { code } = error as NodeJS.ErrnoException;
  const kind = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
  return `something went wrong inside (${oneLine(kind)}); BROADSHEET_DEBUG=1 shows more`;
}
