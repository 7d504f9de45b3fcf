import { Argument, Command, CommanderError, Option } from 'commander';
import { mapSystemError } from '../common/system-errors.ts';
import { BroadsheetError } from '../contract/errors.ts';
import { programTree } from './command-table.ts';
import type { Argument as ArgumentRow, Command as CommandRow, CommandNode, Option as OptionRow } from './command.ts';
import { resolveInvocation, type CommonOptions } from './invocation.ts';
import { printDiskFull, EXIT, MachineError, UsageError, type ExitCode, type Shell } from './shell.ts';
import { runCommand } from './run-command.ts';
import { bold, line, lines, red, type StyledText, oneLine } from './terminal-text.ts';

/** In UTF-16 units, of a line about wrong usage, which quotes arguments. */
const MAX_LINE = 300;
const hintOf = (path: readonly string[]): string => `See ${['broadsheet', ...path].join(' ')} --help.`;

type Given = Readonly<Record<string, unknown>>;
type Run = (node: CommandNode, given: Given) => Promise<void>;

/** Runs a command line. Never throws: failures are printed to stderr and set the exit code. */
export async function runProgram(args: readonly string[], version: string, shell: Shell): Promise<ExitCode> {
  let exit: ExitCode = EXIT.well;
  let path: readonly string[] = [];
  const root = programTree();
  const program = new Command('broadsheet').version(version).exitOverride();
  const run: Run = async (node, all) => {
    if (node.command?.needs === 'nothing') {
      exit = await node.command.run(all, { shell, version, root });
      return;
    }
    const invocation = resolveInvocation(program.opts<CommonOptions>(), shell);
    ({ path } = node);
    const [command, given] = chooseRow(node, all);
    if (command.needs === 'own') exit = await command.run(given, invocation);
    else if (command.needs !== 'nothing') exit = await runCommand(command, given, invocation);
  };
  program.configureHelp({ showGlobalOptions: true }).configureOutput({
    writeOut: (text) => void shell.out.line(helpText(text.trimEnd())),
    writeErr: (text) => void shell.err.line(mistakeText(text.trimEnd())),
  });
  define(program, root, run);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    return reportError(error, shell, path);
  }
}

function define(command: Command, node: CommandNode, run: Run): void {
  const args = Object.entries(node.args);
  command.description(node.about);
  for (const [key, row] of args) command.addArgument(argumentOf(key, row));
  const attributes = new Map<string, string>();
  for (const [name, row] of Object.entries(node.options)) {
    for (const one of optionsOf(name, row)) {
      command.addOption(one);
      attributes.set(name, one.attributeName());
    }
  }
  if (node.help !== '') command.addHelpText('after', node.help);
  for (const below of node.commands) define(command.command(below.path.at(-1) ?? ''), below, run);
  if (node.commands.length === 0) {
    command.action((...values: unknown[]) => {
      const given = args.map(([key], index): [string, unknown] => [key, values[index]]);
      const set = [...attributes].map(([name, of]): [string, unknown] => [name, command.getOptionValue(of)]);
      return run(node, Object.fromEntries([...given, ...set.filter(([, value]) => value !== undefined)]));
    });
  }
  command.showHelpAfterError(hintOf(node.path));
  command.on('beforeHelp', () => {
    refuseUnknown(command);
  });
}

function argumentOf(
  key: string,
  { name = key, about, parse, choices, optional, several }: ArgumentRow<unknown>,
): Argument {
  const shown = `${name}${several ? '...' : ''}`;
  const argument = new Argument(optional ? `[${shown}]` : `<${shown}>`, about);
  if (choices) argument.choices(choices);
  if (parse) argument.argParser(parse);
  return argument;
}

function optionsOf(name: string, row: OptionRow<unknown>): Option[] {
  const option = new Option(`--${name}${row.value === undefined ? '' : ` <${row.value}>`}`, row.about);
  if (row.choices) option.choices(row.choices);
  if (row.parse) option.argParser(row.parse);
  if (row.defaultValue !== undefined) option.default(row.defaultValue, row.defaultText);
  if (row.conflicts !== undefined) option.conflicts(row.conflicts);
  if (row.required) option.makeOptionMandatory();
  return row.negated === undefined ? [option] : [option, new Option(`--no-${name}`, row.negated)];
}

function chooseRow({ command, choice, path }: CommandNode, all: Given): [CommandRow, Given] {
  if (command) return [command, all];
  if (!choice) throw new UsageError('missing command');
  const { chooser, rows, alone } = choice;
  const { what, [chooser.key.name]: key, ...options } = all;
  const row = typeof what === 'string' ? what : '';
  const chosen = row === '' ? alone : rows[row];
  const shown = [...path, row].join(' ').trimEnd();
  if (!chosen) throw new UsageError(`there is no '${shown}'`);
  const [[name, argument] = []] = Object.entries(chosen.args ?? {});
  if (!argument && key !== undefined) throw new UsageError(chooser.excess(row));
  const value = typeof key === 'string' ? key : argument?.defaultValue;
  if (argument && !argument.optional && value === undefined) throw new UsageError(chooser.missing(row));
  const stray = Object.keys(options).find((one) => !Object.hasOwn(chosen.options ?? {}, one));
  if (stray !== undefined) throw new UsageError(`option '--${stray}' cannot be used with '${shown}'`);
  const parsed = argument?.parse && value !== undefined ? parseKey(argument, value, chooser.key.name) : value;
  return [chosen, name === undefined ? options : { ...options, [name]: parsed }];
}

function parseKey({ parse }: ArgumentRow<unknown>, value: string, shown: string): unknown {
  try {
    return parse?.(value, undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new UsageError(`argument '${shown}' is invalid. ${reason}`);
  }
}

/** Refuses help about an unknown command, where Commander would show that of the one above. */
function refuseUnknown(command: Command): void {
  const [first, second] = command.args;
  const name = first === 'help' ? second : first;
  if (command.commands.length === 0 || name === undefined || name.startsWith('-')) return;
  if (command.commands.some((one) => one.name() === name)) return;
  command.error(`error: unknown command '${name}'`, { exitCode: EXIT.usage, code: 'commander.unknownCommand' });
}

function helpText(text: string): StyledText {
  return lines(
    text.split('\n').map((row) => {
      const [, heading, rest = ''] = /^([A-Z][a-z]+(?: [a-z]+)?:)(.*)$/.exec(row) ?? [];
      return heading === undefined ? row : line`${bold(heading)}${rest}`;
    }),
  );
}

function mistakeText(text: string): StyledText {
  return lines(
    text.split('\n').map((row) => {
      const [, mistake] = /^error: (.*)$/.exec(row) ?? [];
      return mistake === undefined
        ? oneLine(cutLine(row))
        : line`${red('error:')} ${cutLine(mistake.replace(/^command-argument value/, 'value'))}`;
    }),
  );
}

function cutLine(text: string): string {
  if (text.length <= MAX_LINE) return text;
  return `${text.slice(0, MAX_LINE / 2)}…${text.slice(-MAX_LINE / 2)}`;
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
    await printDiskFull(shell, 'broadsheet:', failure.message);
  } else await shell.err.line(line`${red('broadsheet:')} ${describeFailure(error)}`);
  if (shell.environment['BROADSHEET_DEBUG'] && error instanceof Error) await shell.err.line(error.stack ?? '');
  if (!(error instanceof BroadsheetError)) return EXIT.failed;
  if (error.code === 'data_in_use') return EXIT.busy;
  return error.code === 'invalid_argument' ? EXIT.usage : EXIT.failed;
}

/** Describes a failure on one line. Messages of unexpected errors are hidden, because they may contain anything. */
export function describeFailure(thrown: unknown): string {
  const error = mapSystemError(thrown);
  if (error instanceof BroadsheetError || error instanceof MachineError) return oneLine(error.message);
  const { code } = error as NodeJS.ErrnoException;
  const kind = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
  return `unexpected error (${oneLine(kind)}). Set BROADSHEET_DEBUG=1 for details`;
}
