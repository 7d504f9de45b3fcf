import type { Candidate, Candidates } from './candidates.ts';

/** Completions for fish, with descriptions. */
export function fishCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places]
    .map(([place, some]) => `    case ${quoted(place)}\n${some.map(printed).join('\n')}`)
    .join('\n');
  const kinds = [...files].map(([place, kind]) => {
    const list =
      kind === 'folder' ? '__fish_complete_directories (commandline -ct)' : '__fish_complete_path (commandline -ct)';
    return `    case ${quoted(place)}\n      ${list}`;
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
      case ${valued.map(quoted).join(' ')}
        set option $word
        continue
      case '-*'
        continue
    end
    switch "$path/$word"
      case ${paths.map(quoted).join(' ')}
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

function printed({ word, about }: Candidate): string {
  return about === '' ? `      echo ${quoted(word)}` : `      printf '%s\\t%s\\n' ${quoted(word)} ${quoted(about)}`;
}

/** In fish, a backslash escapes within single quotes, too. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;
}
