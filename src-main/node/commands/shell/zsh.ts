import type { Candidates } from './candidates.ts';

/** Completions for zsh, with descriptions. */
export function zshCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places].map(([place, some]) => {
    const all = some.map(({ word, about }) => quoted(about === '' ? escaped(word) : `${escaped(word)}:${about}`));
    return `    (${quoted(place)}) words_here=(${all.join(' ')}) ;;`;
  });
  const kinds = [...files].map(([place, kind]) => `    (${quoted(place)}) kind=${kind} ;;`);
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
      (${valued.map(quoted).join('|')}) option="$word"; continue ;;
      (-*) continue ;;
    esac
    case "$command_path/$word" in
      (${paths.map(quoted).join('|')}) command_path="$command_path/$word"; before=''; count=0 ;;
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
function escaped(word: string): string {
  return word.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
