import { everyCommand, type CommandDescription, type OptionDescription, type ValueKind } from './describe.ts';

/** Something that a shell may offer. */
export interface Candidate {
  word: string;
  /** May be empty. */
  about: string;
}

/**
 * What a shell offers at each place of a command line. A place is a command's path such as `/data/export` with the number
 * of the argument (`/mark 1`), that number and the argument before it (`/settings/set 1 theme`), the word `options`, or an
 * option's name. Options of every command have the empty path.
 */
export interface Candidates {
  places: ReadonlyMap<string, readonly Candidate[]>;
  /** Places at which the path of a file or folder is expected. */
  files: ReadonlyMap<string, Exclude<ValueKind, 'other'>>;
  /** Paths of commands that have others. */
  paths: readonly string[];
  /** Options that take a value, of all commands. */
  valued: readonly string[];
}

/** A variadic argument stands for every later one, too; a place after this many isn't looked up. */
const MOST_ARGUMENTS = 4;

export function candidatesOf(program: CommandDescription): Candidates {
  const places = new Map<string, readonly Candidate[]>();
  const files = new Map<string, Exclude<ValueKind, 'other'>>();
  const paths: string[] = [];
  const valued = new Set<string>();
  const add = (place: string, words: readonly Candidate[]): void => {
    if (words.length > 0) places.set(place, words);
  };
  const addValue = (place: string, kind: ValueKind, words: readonly string[]): void => {
    add(place, words.map(plain));
    if (kind !== 'other') files.set(place, kind);
  };
  for (const command of everyCommand(program)) {
    const path = pathOf(command);
    if (path !== '') paths.push(path);
    const commands = command.commands.map((one) => ({ word: one.path.at(-1) ?? '', about: one.description }));
    add(`${path} 0`, commands);
    command.arguments.forEach(({ kind, words, variadic }, first) => {
      for (let place = first; place < (variadic ? MOST_ARGUMENTS : first + 1); place += 1) {
        if (isList(words)) addValue(`${path} ${String(place)}`, kind, words);
        else
          for (const [before, each] of Object.entries(words))
            add(`${path} ${String(place)} ${before}`, each.map(plain));
      }
    });
    const { options } = command;
    const common = command === program ? [] : program.options;
    add(`${path} options`, [...new Map([...options, ...common].map(optionWord)).values()]);
    for (const { names, value } of options) {
      if (!value) continue;
      for (const name of names) {
        valued.add(name);
        addValue(`${path} ${name}`, value.kind, value.words);
      }
    }
  }
  return { places, files, paths, valued: [...valued] };
}

function pathOf({ path }: CommandDescription): string {
  return path.map((name) => `/${name}`).join('');
}

function optionWord({ names, description: about }: OptionDescription): [name: string, candidate: Candidate] {
  const word = names.at(-1) ?? '';
  return [word, { word, about }];
}

function plain(word: string): Candidate {
  return { word, about: '' };
}

function isList(words: readonly string[] | object): words is readonly string[] {
  return Array.isArray(words);
}
