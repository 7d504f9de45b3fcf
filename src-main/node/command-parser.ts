import { Argument, Command, CommanderError, Option } from 'commander';
import type { Argument as ArgumentRow, Command as CommandRow, CommandNode, Option as OptionRow } from './command.ts';
import { UsageError } from './shell.ts';

export type Given = Readonly<Record<string, unknown>>;

/** A group has only options. */
export function addAction(command: Command, node: CommandNode, run: (given: Given) => void | Promise<void>): void {
  const args = Object.entries(node.args);
  for (const [key, row] of args) command.addArgument(argumentOf(key, row));
  const attributes = new Map<string, string>();
  for (const [name, row] of Object.entries(node.options)) {
    for (const one of optionsOf(name, row)) {
      command.addOption(one);
      attributes.set(name, one.attributeName());
    }
  }
  if (node.commands.length > 0) return;
  command.action((...values: unknown[]) => {
    const given = args.map(([key], index): [string, unknown] => [key, values[index]]);
    const set = [...attributes].map(([name, of]): [string, unknown] => [name, command.getOptionValue(of)]);
    return run(Object.fromEntries([...given, ...set.filter(([, value]) => value !== undefined)]));
  });
}

/** Parses the words after a command. Errors: `UsageError`. */
export function parseWords(node: CommandNode, words: readonly string[]): Given {
  let found: Given = {};
  const silent = { writeOut: () => undefined, writeErr: () => undefined };
  const command = new Command().helpOption(false).exitOverride().configureOutput(silent);
  addAction(command, node, (given) => {
    found = given;
  });
  try {
    command.parse(words, { from: 'user' });
    return found;
  } catch (error) {
    throw error instanceof CommanderError ? new UsageError(error.message.replace(/^error: /, '')) : error;
  }
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

/** Errors: `UsageError`. */
export function chooseRow({ command, choice, path }: CommandNode, all: Given): [CommandRow, Given] {
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
