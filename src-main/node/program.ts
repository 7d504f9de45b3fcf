import { Command, CommanderError } from 'commander';
import { mapSystemError } from '../common/system-errors.ts';
import { BroadsheetError } from '../contract/errors.ts';
import { programTree } from './command-table.ts';
import type { CommandNode } from './command.ts';
import { addAction, chooseRow, type Given } from './command-parser.ts';
import { resolveInvocation, type CommonOptions } from './invocation.ts';
import { describeFailure, printDiskFull, EXIT, UsageError, type ExitCode, type Shell } from './shell.ts';
import { runCommand } from './run-command.ts';
import { stopListening } from './shutdown-signals.ts';
import { bold, line, lines, red, type StyledText, oneLine } from './terminal-text.ts';

/** In UTF-16 units, of a line about wrong usage, which quotes arguments. */
const MAX_LINE = 300;
const hintOf = (path: readonly string[]): string => `See ${['broadsheet', ...path].join(' ')} --help.`;

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
    return await reportError(error, shell, path);
  } finally {
    stopListening();
  }
}

function define(command: Command, node: CommandNode, run: Run): void {
  command.description(node.about);
  if (node.help !== '') command.addHelpText('after', node.help);
  for (const below of node.commands) define(command.command(below.path.at(-1) ?? ''), below, run);
  addAction(command, node, (given) => run(node, given));
  command.showHelpAfterError(hintOf(node.path));
  command.on('beforeHelp', () => {
    refuseUnknown(command);
  });
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
