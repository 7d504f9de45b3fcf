import { InvalidArgumentError } from 'commander';
import type { Call, Wire } from '../contract/wire.ts';
import type { Invocation } from './invocation.ts';
import type { ExitCode, Shell } from './shell.ts';
import { wordOf, type Text } from './terminal-text.ts';

/** Program, help, completions and manual page come from this table. All starts load it: import the core on demand. */

/** Words that completions offer: a list, or a list by the word of the argument before. */
export type Suggestions = readonly string[] | Readonly<Record<string, readonly string[]>>;

export interface Value<V> {
  about: string;
  /** Throws `InvalidArgumentError`. `before` is the value of the words before it, if it takes several. */
  parse?(text: string, before: V | undefined): V;
  choices?: readonly string[];
  /** For completions, if other words are allowed, too. */
  words?: Suggestions;
}

export interface Argument<V> extends Value<V> {
  name?: string;
  optional?: true;
  several?: true;
  /** Only in a row of a {@link Chooser}. */
  defaultValue?: string;
}

export interface Option<V> extends Value<V> {
  /** The name of the value in help; a switch has none. */
  value?: string;
  defaultValue?: V;
  defaultText?: string;
  required?: true;
  conflicts?: string;
  /** Describes the switch `--no-NAME`. */
  negated?: string;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;
export type Options = Readonly<Record<string, Option<unknown>>>;

type ValueOf<T> = T extends Value<infer V> ? V : never;
type Present<O> = { [K in keyof O]: O[K] extends { defaultValue: unknown } | { required: true } ? K : never }[keyof O];
type Given<A, O> = { [K in keyof A]: ValueOf<A[K]> } & { [K in Present<O>]: ValueOf<O[K]> } & {
  [K in Exclude<keyof O, Present<O>>]?: ValueOf<O[K]>;
};

export interface Io {
  call: Call;
  on: Wire['on'];
  invocation: Invocation;
  /** Prints on stderr. */
  hint(text: Text): Promise<void>;
  /** Ends with exit code 1, although the rest is printed; the text follows the results. */
  fail(text?: Text): void;
}

interface Definition<A, O> {
  about?: string;
  args?: A;
  options?: O;
  help?: string;
}

/** `reads` needs no other process; `writes` goes through the one that has the folder; `fetches` also uses services. */
type Needs = 'reads' | 'writes' | 'fetches';

interface Printed<A, O, P, T> extends Definition<A, O> {
  needs: Needs;
  /** Runs before any file of the data folder is opened. */
  prepare?(given: Given<A, O>): P | Promise<P>;
  text(record: T): Text | readonly Text[] | Promise<Text>;
  /**
   * For `--json`, if it isn't the record; undefined prints nothing. Keeps the field names of the first version, because
   * scripts read them: listing, course, edition and notice are a model list, history, report and storage warning.
   */
  json?(record: T, io: Io): unknown;
}

interface RecordCommand<A, O, P, T> extends Printed<A, O, P, T> {
  run(given: Given<A, O>, io: Io, prepared: P): Promise<T | undefined>;
  /** The record while nothing is saved; without it, that is an error. */
  unsaved?: T;
}

interface ListCommand<A, O, P, T> extends Printed<A, O, P, T> {
  run(given: Given<A, O>, io: Io, prepared: P): AsyncIterable<T>;
  empty: string;
  /** While nothing is saved, the list is empty, unless that is an error. */
  unsaved?: 'error';
}

/** Opens a core itself, and prints. */
interface OwnCommand<A, O> extends Definition<A, O> {
  needs: 'own';
  /** Throws a `UsageError` for a standing export that could never run. */
  check?(given: Given<A, O>): unknown;
  run(given: Given<A, O>, invocation: Invocation): Promise<ExitCode>;
}

/** Needs no data folder, and works in a wrong environment. */
interface PlainCommand<A, O> extends Definition<A, O> {
  needs: 'nothing';
  run(given: Given<A, O>, program: { shell: Shell; version: string; root: CommandNode }): Promise<ExitCode>;
}

export type PrintingCommand =
  RecordCommand<Arguments, Options, unknown, unknown> | ListCommand<Arguments, Options, unknown, unknown>;
export type Command = PrintingCommand | OwnCommand<Arguments, Options> | PlainCommand<Arguments, Options>;
export type Commands = Readonly<Record<string, Command>>;

// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- it has no members, and allows none
type None = Readonly<Record<never, never>>;

export function command<T, P, A extends Arguments = None, O extends Options = None>(
  definition: RecordCommand<A, O, P, T>,
): Command {
  return definition;
}

export function listCommand<T, P, A extends Arguments = None, O extends Options = None>(
  definition: ListCommand<A, O, P, T>,
): Command {
  return definition;
}

export function ownCommand<A extends Arguments = None, O extends Options = None>(
  definition: Omit<OwnCommand<A, O>, 'needs'>,
): Command {
  return { ...definition, needs: 'own' } as unknown as Command;
}

export function plainCommand<A extends Arguments = None, O extends Options = None>(
  definition: Omit<PlainCommand<A, O>, 'needs'>,
): Command {
  return { ...definition, needs: 'nothing' } as unknown as Command;
}

export interface Group {
  about: string;
}

/** Chooses a row by its first argument: `list items`. A row has the options it names, and the key if it has args. */
export interface Chooser extends Group {
  choose: string;
  key: Argument<string> & { name: string };
  options: Options;
  help?: string;
  /** Messages for a row without the key that it needs, or with one that it doesn't take. */
  missing(row: string): string;
  excess(row: string): string;
}

export interface CommandNode {
  /** `['data', 'export']`; empty for the program itself. */
  path: readonly string[];
  about: string;
  commands: readonly CommandNode[];
  args: Arguments;
  options: Options;
  help: string;
  command?: Command;
  choice?: { chooser: Chooser; rows: Commands; alone: Command | undefined };
}

/** `alone` is the command without a row. */
export function choiceOf(name: string, chooser: Chooser, rows: Commands, alone?: Command): CommandNode {
  const defaults = Object.entries(rows).flatMap(([row, { args = {} }]) =>
    Object.values(args).flatMap((one) => (one.defaultValue === undefined ? [] : [[row, [one.defaultValue]] as const])),
  );
  const { about, choose, key, options, help = '' } = chooser;
  const words = defaults.length === 0 ? {} : { words: Object.fromEntries(defaults) };
  const what = choice(choose, Object.keys(rows));
  const args = { what: alone ? optional(what) : what, [key.name]: { ...key, ...words, optional: true as const } };
  return { path: [name], about, commands: [], args, options, help, choice: { chooser, rows, alone } };
}

export function* everyCommand(program: CommandNode): Generator<CommandNode> {
  yield program;
  for (const command of program.commands) yield* everyCommand(command);
}

export interface ShownOption {
  /** The short one first. */
  names: readonly string[];
  about: string;
  value?: string;
  choices: readonly string[];
}

/** Returns the options of a command, with those that Commander adds. */
export function shownOptions({ path, options }: CommandNode): ShownOption[] {
  const version = { names: ['-V', '--version'], about: 'output the version number', choices: [] };
  const own = Object.entries(options).flatMap(([name, { about, value, choices = [], negated }]): ShownOption[] => [
    { names: [`--${name}`], about, choices, ...(value !== undefined && { value }) },
    ...(negated === undefined ? [] : [{ names: [`--no-${name}`], about: negated, choices: [] }]),
  ]);
  const help = { names: ['-h', '--help'], about: 'display help for command', choices: [] };
  return [...(path.length === 0 ? [version] : []), ...own, help];
}

export function text(about: string, longest: number): Value<string> {
  return { about, parse: parseText(longest) };
}

export function whole(about: string, least: number, most: number): Value<number> {
  return {
    about,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
      if (value >= least && value <= most) return value;
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    },
  };
}

export function choice<const C extends string>(about: string, choices: readonly C[]): Value<C> {
  const words = choices.map(wordOf);
  const parse = (word: string): C => {
    const chosen = choices[words.indexOf(word)];
    if (chosen !== undefined) return chosen;
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
  };
  return { about, choices: words, parse };
}

export function optional<V>(value: Value<V>): Argument<V | undefined> {
  return { ...(value as Value<V | undefined>), optional: true };
}

export function flag(about: string, negated?: string): Option<boolean> {
  return { about, ...(negated !== undefined && { negated }) };
}

export function option<V>(name: string, value: Value<V>): Option<V> {
  return { ...value, value: name };
}

export function withDefault<V>(
  value: Option<V>,
  defaultValue: V,
  defaultText?: string,
): Option<V> & { defaultValue: V } {
  return { ...value, defaultValue, ...(defaultText !== undefined && { defaultText }) };
}

export function required<V>(value: Option<V>): Option<V> & { required: true } {
  return { ...value, required: true };
}

export function parseText(longest: number): (text: string) => string {
  return (text) => {
    if (text.length >= 1 && text.length <= longest) return text;
    throw new InvalidArgumentError(`It must have 1 to ${longest} characters.`);
  };
}
