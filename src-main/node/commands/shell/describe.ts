import type { EventEmitter } from 'node:events';
import type { Argument, Command, Option } from 'commander';
import { suggestionsFor, type Suggestions } from './suggestions.ts';

/** A command as completions and the man page describe it, read from its definition. */
export interface CommandDescription {
  /** Its names from the program on: `['data', 'export']`; empty for the program itself. */
  path: readonly string[];
  description: string;
  commands: readonly CommandDescription[];
  arguments: readonly ArgumentDescription[];
  options: readonly OptionDescription[];
  /** Texts below its help. */
  notes: string;
}

export interface ArgumentDescription {
  name: string;
  description: string;
  required: boolean;
  variadic: boolean;
  kind: ValueKind;
  /** The only values that it takes; empty if it takes others. */
  choices: readonly string[];
  /** What completions offer. */
  words: Suggestions;
}

export interface OptionDescription {
  /** `--limit`; a short form first. */
  names: readonly string[];
  description: string;
  /** Null for a switch. */
  value: { name: string; kind: ValueKind; words: readonly string[] } | null;
}

export type ValueKind = 'folder' | 'file' | 'other';

/** The program with all its commands and the help that each has. */
export function describeCommand(command: Command, path: readonly string[] = []): CommandDescription {
  const help = command.createHelp();
  const commands = command.commands.filter((one) => one.name() !== 'help');
  return {
    path,
    description: command.description(),
    commands: commands.map((one) => describeCommand(one, [...path, one.name()])),
    arguments: command.registeredArguments.map(describeArgument),
    options: help.visibleOptions(command).map(describeOption),
    notes: notesOf(command),
  };
}

/** The program and every command below it, in the order of the help. */
export function* everyCommand(program: CommandDescription): Generator<CommandDescription> {
  yield program;
  for (const command of program.commands) yield* everyCommand(command);
}

function describeArgument(argument: Argument): ArgumentDescription {
  return {
    name: argument.name(),
    description: argument.description,
    required: argument.required,
    variadic: argument.variadic,
    kind: kindOf(argument.name()),
    choices: argument.argChoices ?? [],
    words: suggestionsFor(argument),
  };
}

function describeOption(option: Option): OptionDescription {
  const name = /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1];
  return {
    names: [option.short, option.long].filter((one) => one !== undefined),
    description: option.description,
    value: name === undefined ? null : { name, kind: kindOf(name), words: option.argChoices ?? [] },
  };
}

function kindOf(name: string): ValueKind {
  if (name === 'dir') return 'folder';
  return name === 'file' ? 'file' : 'other';
}

/** Commander has no accessor for the texts of `addHelpText`, but writes them. */
function notesOf(command: Command): string {
  let text = '';
  // A Command is an EventEmitter, which its types leave out.
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (part: string) => {
      text += part;
    },
  });
  return text.trim();
}
