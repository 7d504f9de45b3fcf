import { everyCommand, shownOptions, type CommandNode, type Suggestions } from '../command.ts';

export type ShellName = 'bash' | 'zsh' | 'fish' | 'powershell';

interface Candidate {
  word: string;
  about: string;
}

/**
 * Words by place: a command's path with an argument's number (`/mark 1`), that and the argument before it
 * (`/settings/set 1 theme`), the word `options`, or an option's name. Options of every command have the empty path.
 */
export interface Candidates {
  places: ReadonlyMap<string, readonly Candidate[]>;
  files: ReadonlyMap<string, 'folder' | 'file'>;
  paths: readonly string[];
  valued: readonly string[];
}

/** Places of a variadic argument. */
const MAX_ARGUMENTS = 4;

export function candidatesOf(program: CommandNode): Candidates {
  const places = new Map<string, readonly Candidate[]>();
  const files = new Map<string, 'folder' | 'file'>();
  const paths: string[] = [];
  const valued = new Set<string>();
  const add = (place: string, words: readonly Candidate[]): void => {
    if (words.length > 0) places.set(place, words);
  };
  const addValue = (place: string, name: string, words: readonly string[]): void => {
    add(place, words.map(plain));
    if (name === 'dir') files.set(place, 'folder');
    if (name === 'file') files.set(place, 'file');
  };
  for (const command of everyCommand(program)) {
    const path = command.path.map((name) => `/${name}`).join('');
    if (path !== '') paths.push(path);
    add(
      `${path} 0`,
      command.commands.map((one) => ({ word: one.path.at(-1) ?? '', about: one.about })),
    );
    Object.entries(command.args).forEach(([key, { name = key, words = [], choices, several }], first) => {
      for (let place = first; place < (several ? MAX_ARGUMENTS : first + 1); place += 1) {
        const offered: Suggestions = choices ?? words;
        if (isList(offered)) addValue(`${path} ${String(place)}`, name, offered);
        else
          for (const [before, each] of Object.entries(offered))
            add(`${path} ${String(place)} ${before}`, each.map(plain));
      }
    });
    const options = shownOptions(command);
    const common = command === program ? [] : shownOptions(program);
    const words = [...options, ...common].map(({ names, about }) => ({ word: names.at(-1) ?? '', about }));
    add(`${path} options`, [...new Map(words.map((one) => [one.word, one])).values()]);
    for (const { names, value, choices } of options) {
      if (value === undefined) continue;
      for (const name of names) {
        valued.add(name);
        addValue(`${path} ${name}`, value, choices);
      }
    }
  }
  return { places, files, paths, valued: [...valued] };
}

function plain(word: string): Candidate {
  return { word, about: '' };
}

function isList(words: Suggestions): words is readonly string[] {
  return Array.isArray(words);
}

export function completionFor(shell: ShellName, program: CommandNode): string {
  return SCRIPTS[shell](candidatesOf(program));
}

const SCRIPTS: Readonly<Record<ShellName, (candidates: Candidates) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

/** Completions for bash 3.2 and newer, which is that of macOS. */
function bashCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places].map(
    ([place, some]) => `    ${quote(place)}) words=${quote(some.map(({ word }) => word).join(' '))} ;;`,
  );
  const kinds = [...files].map(([place, kind]) => `    ${quote(place)}) kind=${kind} ;;`);
  return `# bash completion for broadsheet
_broadsheet_words() {
  case "$1" in
${kinds.join('\n')}
${words.join('\n')}
    *) return 1 ;;
  esac
}
_broadsheet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' option='' before='' count=0 place word words='' kind=''
  local index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    # --option=value comes as three words.
    if [[ "$word" == '=' ]]; then continue; fi
    if [[ -n "$option" ]]; then option=''; continue; fi
    case "$word" in
      ${valued.map(quote).join('|')}) option="$word"; continue ;;
      -*) continue ;;
    esac
    case "$path/$word" in
      ${paths.map(quote).join('|')}) path="$path/$word"; before=''; count=0 ;;
      *) before="$word"; count=$((count + 1)) ;;
    esac
  done
  if [[ "$current" == '=' ]]; then current=''; fi
  if [[ -n "$option" ]]; then place="$path $option"
  elif [[ "$current" == -* ]]; then place="$path options"
  else place="$path $count"; fi
  _broadsheet_words "$place" || _broadsheet_words "$place $before" || _broadsheet_words " $option"
  COMPREPLY=()
  case "$kind" in
    folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -F _broadsheet broadsheet
`;
}

function zshCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places].map(([place, some]) => {
    const all = some.map(({ word, about }) =>
      quote(about === '' ? escapeColons(word) : `${escapeColons(word)}:${about}`),
    );
    return `    (${quote(place)}) words_here=(${all.join(' ')}) ;;`;
  });
  const kinds = [...files].map(([place, kind]) => `    (${quote(place)}) kind=${kind} ;;`);
  return `#compdef broadsheet
# zsh completion for broadsheet
_broadsheet_words() {
  case "$1" in
${kinds.join('\n')}
${words.join('\n')}
    (*) return 1 ;;
  esac
}
_broadsheet() {
  local current_word="\${words[CURRENT]}" command_path='' option='' before='' place word kind=''
  local -i count=0 index
  local -a words_here
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n "$option" ]]; then option=''; continue; fi
    case "$word" in
      (${valued.map(quote).join('|')}) option="$word"; continue ;;
      (-*) continue ;;
    esac
    case "$command_path/$word" in
      (${paths.map(quote).join('|')}) command_path="$command_path/$word"; before=''; count=0 ;;
      (*) before="$word"; count+=1 ;;
    esac
  done
  if [[ -z "$option" && "$current_word" == --*=* ]]; then
    option="\${current_word%%=*}"
    compset -P '*='
  fi
  if [[ -n "$option" ]]; then place="$command_path $option"
  elif [[ "$current_word" == -* ]]; then place="$command_path options"
  else place="$command_path $count"; fi
  _broadsheet_words "$place" || _broadsheet_words "$place $before" || _broadsheet_words " $option"
  case "$kind" in
    (folder) _files -/; return ;;
    (file) _files; return ;;
  esac
  if (( \${#words_here} )); then _describe 'broadsheet' words_here; fi
}
if [[ "$funcstack[1]" == '_broadsheet' ]]; then _broadsheet "$@"; else compdef _broadsheet broadsheet; fi
`;
}

/** A colon separates a word from its description. */
function escapeColons(word: string): string {
  return word.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fishCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places]
    .map(([place, some]) => `    case ${quoteFish(place)}\n${some.map(printFish).join('\n')}`)
    .join('\n');
  const kinds = [...files].map(([place, kind]) => {
    const list =
      kind === 'folder' ? '__fish_complete_directories (commandline -ct)' : '__fish_complete_path (commandline -ct)';
    return `    case ${quoteFish(place)}\n      ${list}`;
  });
  return `# fish completion for broadsheet
function __broadsheet_words
  switch $argv[1]
${kinds.join('\n')}
${words}
    case '*'
      return 1
  end
end
function __broadsheet_complete
  set -l current (commandline -ct)
  set -l path ''
  set -l option ''
  set -l before ''
  set -l count 0
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      set option ''
      continue
    end
    switch $word
      case ${valued.map(quoteFish).join(' ')}
        set option $word
        continue
      case '-*'
        continue
    end
    switch "$path/$word"
      case ${paths.map(quoteFish).join(' ')}
        set path "$path/$word"
        set before ''
        set count 0
      case '*'
        set before $word
        set count (math $count + 1)
    end
  end
  set -l place "$path $count"
  if test -n "$option"
    set place "$path $option"
  else if string match -q -- '-*' "$current"
    set place "$path options"
  end
  __broadsheet_words "$place"; or __broadsheet_words "$place $before"; or __broadsheet_words " $option"
end
complete -c broadsheet -f -a '(__broadsheet_complete)'
`;
}

function printFish({ word, about }: Candidate): string {
  return about === ''
    ? `      echo ${quoteFish(word)}`
    : `      printf '%s\\t%s\\n' ${quoteFish(word)} ${quoteFish(about)}`;
}

/** In fish, a backslash escapes within single quotes, too. */
function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;
}

/** Completions for PowerShell 5.1 and newer. */
function powershellCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places].map(
    ([place, some]) => `    ${quotePowershell(place)} = @(${some.map(pairPowershell).join(', ')})`,
  );
  const kinds = [...files.keys()].map(quotePowershell);
  return `# PowerShell completion for broadsheet
Register-ArgumentCompleter -Native -CommandName broadsheet -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $places = @{
${words.join('\n')}
  }
  $files = @(${kinds.join(', ')})
  $paths = @(${paths.map(quotePowershell).join(', ')})
  $valued = @(${valued.map(quotePowershell).join(', ')})
  $path = ''; $option = ''; $before = ''; $count = 0
  $earlier = $commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
  foreach ($element in $earlier) {
    $word = if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $element.Extent.Text }
    if ($option) { $option = ''; continue }
    if ($valued -ccontains $word) { $option = $word; continue }
    if ($word.StartsWith('-')) { continue }
    if ($paths -ccontains "$path/$word") { $path = "$path/$word"; $before = ''; $count = 0 }
    else { $before = $word; $count += 1 }
  }
  $place = if ($option) { "$path $option" } elseif ("$wordToComplete".StartsWith('-')) { "$path options" } else { "$path $count" }
  # Without a result, PowerShell offers files.
  if ($files -ccontains $place -or $files -ccontains " $option") { return }
  $found = foreach ($one in @($place, "$place $before", " $option")) { if ($places.ContainsKey($one)) { $places[$one]; break } }
  foreach ($one in $found) {
    $word, $about = $one -split "\`t", 2
    if ($word -like ([WildcardPattern]::Escape("$wordToComplete") + '*')) {
      if (-not $about) { $about = $word }
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
  }
}
`;
}

function pairPowershell({ word, about }: Candidate): string {
  return about === '' ? quotePowershell(word) : `(${quotePowershell(word)} + "\`t" + ${quotePowershell(about)})`;
}

function quotePowershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
